//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUsage(t *testing.T) {
	self, gone := []int{os.Getpid()}, []int{1 << 30}
	if memory(self) < 1<<20 || own() <= 0 || loadAverage() < 0 {
		t.Errorf("got %d bytes of memory and %s of processor time, want more", memory(self), own())
	}
	if memory(gone) != 0 || processor(gone) != 0 {
		t.Error("a process that does not exist uses memory or time")
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
