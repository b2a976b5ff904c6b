package ingest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

var hostileBytes = flag.Int("hostile.bytes", 1<<17, "size of the hostile files; the most that is read is 32 MiB")

// TestHostile reads a folder of hostile files in a process of its own, and compares the
// memory that each took with a limit.
func TestHostile(t *testing.T) {
	if dir := os.Getenv("NSFL_TEST_HOSTILE"); dir != "" {
		readHostile(t, dir)
		return
	}
	if testing.Short() {
		t.Skip("-short: make race sets it, and under the race detector memory says nothing")
	}
	const mostMemory = 600 << 20
	dir := t.TempDir()
	files := hostileFiles(t, *hostileBytes)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	child := exec.Command(os.Args[0], "-test.run=^TestHostile$", "-test.timeout=1h")
	child.Env = append(os.Environ(), "NSFL_TEST_HOSTILE="+dir)
	out, err := child.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var highest int64
	var slowest time.Duration
	read := 0
	for line := range strings.Lines(string(out)) {
		var name string
		var memory, nanoseconds int64
		if _, err := fmt.Sscan(line, &name, &memory, &nanoseconds); err != nil {
			continue // it is of package testing
		}
		took := time.Duration(nanoseconds)
		read++
		t.Logf("%9d bytes %5d MiB %8v %s", len(files[name]), memory>>20, took.Round(time.Millisecond), strings.TrimSpace(line))
		if highest, slowest = max(highest, memory), max(slowest, took); memory > mostMemory {
			t.Errorf("reading %s took %d MiB, want at most %d MiB", name, memory>>20, mostMemory>>20)
		}
	}
	if t.Logf("%d files, at most %d MiB and %v", read, highest>>20, slowest); read != len(files) {
		t.Errorf("%d files were read, want %d", read, len(files))
	}
}

// readHostile reads files and prints the memory and the time that each took.
func readHostile(t *testing.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // resets the peak
			t.Fatal(err)
		}
		documents, skips := 0, []Skip{}
		run, err := New(Options{Skip: func(s Skip) {
			if len(skips) < 2 {
				skips = append(skips, s)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for source, err := range run.Sources(context.Background(), file) {
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range run.Documents(context.Background(), source) {
				if err != nil {
					t.Fatal(err)
				}
				documents++
			}
		}
		took := time.Since(began)
		fmt.Println(filepath.Base(file), peakMemory(t, "/proc/self/status"), took.Nanoseconds(), documents, "documents,", strings.ReplaceAll(fmt.Sprintf("%.150v", skips), "\n", " "))
	}
}
