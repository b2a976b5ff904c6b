//go:build linux

package main

import (
	"os"
	"testing"
)

func TestUsage(t *testing.T) {
	self, gone := []int{os.Getpid()}, []int{1 << 30}
	if own() <= 0 || processor(self) < 0 || loadAverage() < 0 {
		t.Errorf("got %s of processor time and a load of %f, want more", own(), loadAverage())
	}
	if processor(gone) != 0 {
		t.Error("a process that does not exist uses time")
	}
}
