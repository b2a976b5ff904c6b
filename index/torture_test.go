//go:build unix

package index

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// rounds numbers the rounds of one of several parts of a test: a few, or as many as fit
// the time that NSFL_TORTURE grants each test under make torture.
func rounds(t *testing.T, few, parts int) iter.Seq[int] {
	t.Helper()
	long := time.Duration(0)
	if text := os.Getenv("NSFL_TORTURE"); text != "" {
		var err error
		long, err = time.ParseDuration(text)
		must(t, err)
		long /= time.Duration(parts)
	}
	if testing.Short() {
		few = (few + 7) / 8
	}
	return func(yield func(int) bool) {
		begun := time.Now()
		for round := 0; round < few || time.Since(begun) < long; round++ {
			if t.Failed() || !yield(round) {
				return
			}
		}
	}
}

// tell logs a line for the table of make torture.
func tell(t *testing.T, what string, n int) {
	t.Helper()
	if !t.Failed() {
		t.Logf("torture: %8d %s; lost: 0", n, what)
	}
}

// story is a sequence of operations on a collection on a test disk.
type story struct {
	base   string // initial contents of the directory; empty to create the collection
	begun  model
	first  int // number of the first operation
	number int // how many operations

	dir string // directory of the collection
}

// teller runs a story. A failed operation may have taken effect or not, so there may be
// several models of the contents.
type teller struct {
	story
	t     *testing.T
	disk  *testDisk
	c     *Collection
	there bool // the collection was created
	held  []model
	marks []mark
}

// mark records the disk changes during an operation, and the models after it.
type mark struct {
	begun, done int
	held        []model
}

func (s story) begin(t *testing.T, dir string) *teller {
	t.Helper()
	if s.base != "" {
		must(t, os.CopyFS(dir, os.DirFS(s.base)))
	}
	s.dir = dir
	d, err := newTestDisk(dir)
	must(t, err)
	return &teller{story: s, t: t, disk: d, there: s.base != "", held: []model{s.begun}}
}

// open opens or creates the collection.
func (s *teller) open() (err error) {
	p := place{s.dir, s.disk}
	if !s.there {
		s.c, err = p.makeCollection(s.t.Context(), Options{Dimension: testDim})
	}
	if s.there || errors.Is(err, ErrExists) {
		s.c, err = p.openCollection(s.t.Context(), Options{})
	}
	s.there = s.there || err == nil
	return err
}

// step runs one operation of the story. The one before the first opens the collection;
// halfway through it is reopened.
func (s *teller) step(n int) (err error) {
	if n == s.number/2 && s.c != nil {
		err = s.c.Close()
		s.c = nil
	}
	if s.c == nil && err == nil {
		err = s.open()
	}
	if n < 0 || err != nil {
		return err
	}
	return s.do(operationAt(s.first + n))
}

// do runs an operation and updates the possible models.
func (s *teller) do(op operation) error {
	after := make([]model, len(s.held))
	for i, m := range s.held {
		after[i] = m.after(op)
	}
	begun := s.disk.Changes()
	err := op.run(s.t.Context(), s.c)
	if err != nil {
		after = append(slices.Clip(s.held), after...)
	}
	s.held = after
	s.marks = append(s.marks, mark{begun, s.disk.Changes(), after})
	return err
}

// end closes the collection if it is open.
func (s *teller) end() error {
	defer s.disk.Close()
	if s.c == nil {
		return nil
	}
	return s.c.Close()
}

// freshCopies returns a generator of directory names for copies.
func freshCopies(t *testing.T) func() string {
	root, n := t.TempDir(), 0
	return func() string {
		must(t, os.RemoveAll(filepath.Join(root, fmt.Sprint(n-8)))) // none is needed for long
		n++
		return filepath.Join(root, fmt.Sprint(n))
	}
}

// storyCount is the number of stories.
const storyCount = 2

// stories returns the stories to run with faults and power cuts, by name.
func stories(t *testing.T) iter.Seq2[string, story] {
	t.Helper()
	all := map[string]story{"made": {number: 4, first: 3}}
	dir := filepath.Join(t.TempDir(), "base")
	c, err := Create(t.Context(), dir, Options{Dimension: testDim})
	must(t, err)
	m := model{}
	for n := range 20 {
		must(t, operationAt(n).run(t.Context(), c))
		m = m.after(operationAt(n))
	}
	must(t, c.Close())
	all["life"] = story{base: dir, begun: m, first: 29, number: 9}
	return func(yield func(string, story) bool) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if t.Failed() || !yield(name, all[name]) {
				return
			}
		}
	}
}
