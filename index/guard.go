package index

import (
	"context"
	"fmt"
	"runtime/debug"
	"unsafe"

	"github.com/nsfl-go/nsfl/internal/workers"
)

// guard runs f, which looks at the mapped files: whatever does goes through here, and in
// goroutines of its own through spread. A page that the disk cannot give, or that is gone
// because somebody has cut the file, would otherwise end the process.
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

// fault is the damage that a panic tells of; nil: it tells of something else.
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
				Problem: fmt.Sprintf("what was committed cannot be read at %d", offset)}}
		}
	}
	return nil
}

// spread calls f for 0 to n-1, by so many workers.
func (s *snapshot) spread(ctx context.Context, n, atOnce int, f func(worker, i int) error) error {
	return workers.Numbered(ctx, n, atOnce, func(_ context.Context, worker, i int) error {
		return s.guard(func() error { return f(worker, i) })
	})
}
