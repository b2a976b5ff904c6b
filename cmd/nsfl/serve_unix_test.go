//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// SIGHUP has the server read its keys again and open its audit trail anew; SIGTERM ends
// it.
func TestServeSignals(t *testing.T) {
	dir := t.TempDir()
	keys, audit := filepath.Join(dir, "keys"), filepath.Join(dir, "audit")
	must(t, "serve", "key", "--keys-file", keys)
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "serve", "--collections", filepath.Join(dir, "data"), "--listen", "127.0.0.1:0", "--keys-file", keys, "--audit", audit)
	cmd.Env = append(os.Environ(), childEnv+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	logs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "nsfl serves ") {
		t.Fatal(line, err)
	}
	log := bufio.NewScanner(logs)
	for range 3 {
		if err := os.Remove(audit); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		for log.Scan() && !strings.Contains(log.Text(), "the keys were reloaded") {
			t.Log(log.Text())
		}
		if content, err := os.ReadFile(audit); err != nil || !strings.Contains(string(content), "reload_keys") {
			t.Fatalf("the new audit trail: %s, %v", content, err)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for log.Scan() {
		t.Log(log.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server has ended with %v", err)
	}
}
