//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A child of this process belongs to its family, and its memory can be measured.
func TestFamily(t *testing.T) {
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { in.Close(); cmd.Wait() }()
	all := family(os.Getpid())
	if all[0] != os.Getpid() || !slices.Contains(all, cmd.Process.Pid) || !slices.Contains(started(), cmd.Process.Pid) {
		t.Errorf("%v, the child is %d", all, cmd.Process.Pid)
	}
	self := []int{os.Getpid()}
	if memory(self) < 1<<20 || memory(all) <= memory([]int{cmd.Process.Pid}) || own() <= 0 || loadAverage() < 0 {
		t.Errorf("memory %d, %d, processor %s", memory(self), memory(all), own())
	}
	const gone = 1 << 30
	if memory([]int{gone}) != 0 || processor([]int{gone}) != 0 || len(family(gone)) != 1 {
		t.Error("a process that there is not takes something")
	}
}

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	for name, n := range map[string]int{"a": 10, "b/c": 1000} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, n), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if n := disk(dir); n != 1010 {
		t.Errorf("%d bytes", n)
	}
}
