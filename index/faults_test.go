//go:build unix

package index

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/disk/disktest"
)

// TestFaults lets each call of the disk fail, one in each telling of a story. Then
// the process goes on, by itself or by opening the collection again, or it dies, or
// the power goes. Whatever was acknowledged is there, what failed is there whole or
// not at all, and nothing is damaged.
func TestFaults(t *testing.T) {
	fresh := freshCopies(t)
	total := 0
	for name, s := range stories(t) {
		calls := s.tell(t, fresh(), -1, nil, goesOn, nil)
		t.Logf("%s has %d calls", name, calls)
		r := source(t, uint64(calls))
		order := r.Perm(calls)
		for round := range rounds(t, calls/8) {
			n := order[round%calls]
			failure := []error{syscall.EIO, syscall.ENOSPC}[r.IntN(2)]
			s.tell(t, fresh(), n, failure, ending(r.IntN(int(endings))), func(d *disktest.Disk, dir string, e ending) string {
				to := fresh()
				if e == dies {
					must(t, os.CopyFS(to, os.DirFS(dir)))
				} else {
					must(t, d.Image(d.Changes(), r, dir, to))
				}
				return to
			})
			total++
		}
	}
	tell(t, "faults", total)
}

// ending is what happens after a fault.
type ending int

const (
	goesOn ending = iota
	dies
	cut // the power
	endings
)

func (e ending) String() string { return []string{"goes on", "dies", "power cut"}[e] }

// tell tells a story with one fault, and returns how many calls there were.
func (s story) tell(t *testing.T, dir string, n int, failure error, e ending, left func(*disktest.Disk, string, ending) string) (calls int) {
	t.Helper()
	told := s.begin(t, dir)
	var hit *disktest.Call
	told.disk.Fail = func(i int, c disktest.Call) error {
		if i != n {
			return nil
		}
		hit = &c
		return failure
	}
	failed := func(doing string, err error) {
		t.Helper()
		where := "no fault"
		if hit != nil {
			where = fmt.Sprintf("call %d, %s of %s at %d: %v; then it %s", n, hit.Kind, hit.Path, hit.Offset, failure, e)
		}
		t.Fatalf("%s: %v\nafter %s", doing, err, where)
	}
	for step := -1; step < s.number && (hit == nil || e == goesOn); step++ {
		err := told.step(step)
		for try := 0; err != nil && e == goesOn; try++ {
			if try == 2 || hit == nil {
				failed(fmt.Sprintf("operation %d of the story", step), err)
			}
			if try == 1 && told.c != nil { // not by itself
				_ = told.c.Close()
				told.c = nil
			}
			if told.c == nil {
				if err := told.open(); err != nil {
					failed("opening again", err)
				}
			}
			err = told.step(step)
		}
		if told.c != nil && hit != nil {
			if err := oneOf(t.Context(), told.c, told.held); err != nil {
				failed(fmt.Sprintf("reading after operation %d of the story", step), err)
			}
		}
	}
	if e == goesOn {
		if err := told.end(); err != nil && hit == nil {
			failed("closing", err)
		}
	} else {
		told.disk.Die()
		dir = left(told.disk, dir, e)
		_ = told.end()
	}
	if err := told.sound(dir, told.held); err != nil {
		failed("the collection", err)
	}
	return told.disk.Calls()
}

// sound is as the function. A collection whose making was not acknowledged can be made.
func (s *teller) sound(dir string, held []model) error {
	if !s.there {
		c, err := Create(s.t.Context(), dir, Options{Dimension: testDim})
		if err == nil {
			err = c.Close()
		}
		if err != nil && !errors.Is(err, engine.ErrExists) {
			return err
		}
	}
	return sound(s.t.Context(), dir, held)
}
