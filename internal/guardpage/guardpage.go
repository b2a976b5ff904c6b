//go:build linux || darwin

// Package guardpage lends tests memory that ends, or begins, at a page no one may touch:
// reading past a slice is a fault there, and goes unnoticed elsewhere.
package guardpage

import (
	"syscall"
	"testing"
	"unsafe"
)

// Slice is n elements at the end, or at the beginning, of their pages.
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
