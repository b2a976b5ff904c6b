package index

import (
	"context"
	"fmt"
	"runtime/debug"
	"unsafe"

	"github.com/nsfl-go/nsfl/internal/workers"
)

// guard runs f, which reads the mapped files. All access to them goes through guard, or
// through spread for goroutines. Otherwise a page that the disk cannot read, or that is
// gone because the file was truncated, would crash the process.
func (s *snapshot) guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			if err = s.fault(r); err == nil {
				panic(r)
			}
		}
	}()
	return f()
}

// fault returns the damage behind a memory fault, or nil for any other panic.
func (s *snapshot) fault(r any) error {
	at, ok := r.(interface{ Addr() uintptr })
	if !ok {
		return nil
	}
	for k, m := range s.maps {
		if m == nil || len(m.data) == 0 {
			continue
		}
		offset := at.Addr() - uintptr(unsafe.Pointer(&m.data[0]))
		if offset < uintptr(len(m.data)) {
			return &DamageError{s.dir, Damage{File: s.fileName(fileKind(k), s.epoch),
				Problem: fmt.Sprintf("committed data cannot be read at offset %d", offset)}}
		}
	}
	return nil
}

// spread calls f for 0 to n-1 on up to atOnce workers.
func (s *snapshot) spread(ctx context.Context, n, atOnce int, f func(worker, i int) error) error {
	return workers.Numbered(ctx, n, atOnce, func(_ context.Context, worker, i int) error {
		return s.guard(func() error { return f(worker, i) })
	})
}
