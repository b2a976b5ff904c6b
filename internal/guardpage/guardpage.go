//go:build linux || darwin

// Package guardpage allocates memory for tests next to an inaccessible page, so
// reading beyond a slice faults instead of going unnoticed.
package guardpage

import (
	"syscall"
	"testing"
	"unsafe"
)

// Slice returns n elements that end, or start, at a guard page.
func Slice[T any](t *testing.T, n int, atEnd bool) []T {
	t.Helper()
	var zero T
	size, page := n*int(unsafe.Sizeof(zero)), syscall.Getpagesize()
	pages := (size + page - 1) / page
	b, err := syscall.Mmap(-1, 0, (pages+2)*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	for _, fence := range [][]byte{b[:page], b[(pages+1)*page:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	start := page
	if atEnd {
		start = (pages+1)*page - size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[start])), n)
}
