//go:build unix

package index

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFaults makes each disk call fail, one per run of a story. Then the process
// continues, reopens the collection, or dies, or the power fails, immediately or at the
// end. Acknowledged changes must be present, failed ones completely or not at all, and
// nothing may be damaged.
func TestFaults(t *testing.T) {
	fresh := freshCopies(t)
	total := 0
	for name, s := range stories(t) {
		calls := s.tell(t, fresh, fault{n: -1})
		t.Logf("%s has %d calls", name, len(calls))
		for f := range faults(t, calls) {
			s.tell(t, fresh, f)
			total++
		}
	}
	tell(t, "faults", total)
}

// faults returns the faults to test: first each sync of the log, with the worst endings,
// then random ones.
func faults(t *testing.T, calls []diskCall) iter.Seq[fault] {
	r := source(t, uint64(len(calls)))
	return func(yield func(fault) bool) {
		for n, c := range calls {
			if c.Kind != syncCall || !strings.HasSuffix(c.Path, "-wal") || testing.Short() && n%3 > 0 {
				continue
			}
			for _, e := range []ending{dies, cut, reborn} {
				if t.Failed() || !yield(fault{n, syscall.EIO, e, r}) {
					return
				}
			}
		}
		order := r.Perm(len(calls))
		for round := range rounds(t, len(calls)/16, storyCount) {
			failure := []error{syscall.EIO, syscall.ENOSPC}[r.IntN(2)]
			if !yield(fault{order[round%len(calls)], failure, ending(r.IntN(int(endings))), r}) {
				return
			}
		}
	}
}

// fault is a failing call and what happens next.
type fault struct {
	n   int // the call
	err error
	ending
	r *rand.Rand
}

// ending is what happens after a fault.
type ending int

const (
	goesOn ending = iota
	dies
	cut    // the power fails
	later  // the process continues, and the power fails at the end
	reborn // the process dies, another continues, and the power fails at the end
	endings
)

func (e ending) String() string {
	return []string{"goes on", "dies", "loses its power", "goes on and loses its power in the end", "dies, and the next one loses its power in the end"}[e]
}

func (e ending) goesOn() bool { return e == goesOn || e >= later }

// tell runs a story with one fault, and returns its calls.
func (s story) tell(t *testing.T, fresh func() string, f fault) (calls []diskCall) {
	t.Helper()
	dir := fresh()
	told := s.begin(t, dir)
	hit := false
	told.disk.Fail = func(n int, c diskCall) error {
		c.Data = nil
		calls = append(calls, c)
		if n != f.n {
			return nil
		}
		hit = true
		return f.err
	}
	failed := func(doing string, err error) {
		t.Helper()
		where := "no fault"
		if hit {
			c := calls[f.n]
			where = fmt.Sprintf("call %d, %s of %s at %d: %v; then it %s", f.n, c.Kind, filepath.Base(c.Path), c.Offset, f.err, f.ending)
		}
		t.Fatalf("%s: %v\nafter %s", doing, err, where)
	}
	for step := -1; step < s.number && (!hit || f.goesOn()); step++ {
		err := told.step(step)
		if hit && f.ending == reborn && told.dir == dir {
			told.rebirth(fresh())
			err = told.step(step)
		}
		for try := 0; err != nil && f.goesOn(); try++ {
			if try == 2 || !hit {
				failed(fmt.Sprintf("operation %d of the story", step), err)
			}
			if try == 1 && told.c != nil { // needs a reopen
				_ = told.c.Close()
				told.c = nil
			}
			err = told.step(step)
		}
		if told.c != nil && hit {
			if err := oneOf(t.Context(), told.c, told.held); err != nil {
				failed(fmt.Sprintf("reading after operation %d of the story", step), err)
			}
		}
	}
	if f.ending != goesOn {
		told.disk.Die()
		dir = fresh()
		if f.ending == dies {
			must(t, os.MkdirAll(told.dir, 0o777)) // creating it may be what failed
			must(t, os.CopyFS(dir, os.DirFS(told.dir)))
		} else {
			must(t, told.disk.Image(told.disk.Changes(), f.r, told.dir, dir))
		}
	}
	if err := told.end(); err != nil && !hit {
		failed("closing", err)
	}
	if err := told.sound(dir, told.held); err != nil {
		failed("the collection", err)
	}
	return calls
}

// rebirth lets another process continue after this one dies.
func (s *teller) rebirth(dir string) {
	must(s.t, os.MkdirAll(s.dir, 0o777)) // creating it may be what failed
	d, err := s.disk.Reborn(s.dir, dir)
	must(s.t, err)
	_ = s.end()
	s.dir, s.disk, s.c = dir, d, nil
}

// sound is like the function sound. A collection whose creation was not acknowledged may
// be missing.
func (s *teller) sound(dir string, held []model) error {
	if !s.there {
		c, err := Create(s.t.Context(), dir, Options{Dimension: testDim})
		if err == nil {
			err = c.Close()
		}
		if err != nil && !errors.Is(err, ErrExists) {
			return err
		}
	}
	return sound(s.t.Context(), dir, held)
}
