//go:build linux || darwin

package vec

import (
	"syscall"
	"testing"
	"unsafe"
)

// fenced is n elements that end, or begin, at a page no one may touch: reading
// past a slice is a fault here, and goes unnoticed elsewhere.
func fenced[T any](t *testing.T, n int, atEnd bool) []T {
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

func TestNoReadOutside(t *testing.T) {
	for _, atEnd := range []bool{true, false} {
		for _, d := range []int{1, 7, 8, 15, 16, 17, 31, 33, 64, 67, 130, 384} {
			const n = 35
			floats, v := fenced[float32](t, n*d, atEnd), fenced[float32](t, d, atEnd)
			scales, out := fenced[float32](t, n, atEnd), fenced[float32](t, n, atEnd)
			ids := fenced[uint32](t, n, atEnd)
			v[0] = 1
			for i := range ids {
				ids[i] = uint32(n - 1 - i)
			}
			Dot(v, floats[:d])
			s, err := NewSigns(v)
			if err != nil {
				t.Fatal(err)
			}
			codes8, codes1 := fenced[int8](t, n*d, atEnd), fenced[byte](t, n*s.Size(), atEnd)
			for q := 1; q <= MaxQueries; q++ {
				vs, columns := make([][]float32, q), make([][]float32, q)
				for j := range vs {
					vs[j], columns[j] = v, out
				}
				pack, _ := Pack(vs...)
				pack.Dots(columns, floats)
				pack.Gather(columns, floats, ids)
				pack8, _ := Pack8(vs...)
				pack8.Dots(columns, codes8, scales)
				pack1, _ := s.Pack(vs...)
				pack1.Dots(columns, codes1, scales)
			}
		}
	}
}
