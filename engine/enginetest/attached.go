package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// RunAttached runs those parts of the suite that a store passes which is only read.
func RunAttached(t *testing.T, f Attached) {
	m := Maker{
		Overlap: f.Overlap, Unsearched: f.Unsearched, Slow: f.Slow,
		attached: &attached{f, map[Store]func(engine.Options) (Store, error){}},
	}
	if m.Overlap == 0 {
		m.Overlap = 1
	}
	for _, test := range []struct {
		name  string
		run   func(*testing.T, Maker)
		needs bool
	}{
		{"read only", testReadOnly, true},
		{"dimension", testDimension, true},
		{"parts", testParts, true},
		{"read", testRead, true},
		{"find", testFind, true},
		{"list", testList, true},
		{"listed by filter", testListFilter, true},
		{"fields", testFields, true},
		{"facets", testFacets, true},
		{"listed again", testListedAgain, true},
		{"portions", testPortions, true},
		{"pool", testPool, true},
		{"compare", testCompare, true},
		{"sample", testSample, true},
		{"ties", testTies, true},
		{"queries", testQueries, true},
		{"typed filters", testTyped, true},
		{"filters", testFilters, f.Mixed && !f.Flat && f.ID == nil},
		{"trees", testTrees, f.Mixed && !f.Flat && f.ID == nil},
		{"starving", testStarving, true},
		{"cancellation", testCancellation, true},
		{"together", testReadTogether, true},
		{"huge", testHuge, true},
		{"words", testWords, true},
		{"captions", testCaptions, f.Overlap > 0}, // which is by an index,
	} {
		if test.needs {
			t.Run(test.name, func(t *testing.T) { test.run(t, m) })
		}
	}
}

// Documents come in the order of their refs, each as often as it is wanted.
func testRead(t *testing.T, m Maker) {
	docs := m.corpus(30)
	s := m.stored(t, docs)
	counts(t, s, docs)
	refs := refsOf(t, s, len(docs))
	got, err := s.Documents(context.Background(), []engine.Ref{refs[docs[9].ID], {Number: 1 << 40, Key: "none"}, refs[docs[2].ID], refs[docs[9].ID]}, engine.AllParts)
	if err != nil {
		t.Fatal(err)
	}
	if got[1].ID != "" {
		t.Errorf("%q is nowhere", got[1].ID)
	}
	for i, want := range map[int]int{0: 9, 2: 2, 3: 9} {
		same(t, &got[i], &docs[want])
	}
	for i := range docs {
		holds(t, s, &docs[i])
	}
	for _, id := range []string{"", "never", "id-0 ", "\xff", "a\x00"} {
		if _, err := s.Get(context.Background(), id, engine.NoParts); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// A mark leads on when the store is opened again.
func testListedAgain(t *testing.T, m Maker) {
	docs := m.corpus(40)
	s := m.stored(t, docs)
	first, mark, err := s.List(context.Background(), engine.Page{Limit: 11})
	if err != nil {
		t.Fatal(err)
	}
	s = m.reopened(t, s)
	for d, err := range engine.All(context.Background(), s, engine.Page{After: mark, Limit: 11}) {
		if err != nil {
			t.Fatal(err)
		}
		first = append(first, d)
	}
	if seen := times(first); len(first) != len(docs) || len(seen) != len(docs) {
		t.Errorf("%d documents are listed, %d different ones, want %d", len(first), len(seen), len(docs))
	}
}

// Whatever would change something is refused, and changes nothing.
func testReadOnly(t *testing.T, m Maker) {
	docs := m.corpus(20)
	ctx, s := context.Background(), m.stored(t, docs)
	if s.Encoder() != "" {
		t.Errorf("the encoder is %q, which nobody can know", s.Encoder())
	}
	changed := slices.Clone(docs[:3])
	for i := range changed {
		changed[i].Text = "another text"
	}
	for name, err := range map[string]error{
		"Upsert": s.Upsert(ctx, changed),
		"Delete": func() error { _, err := s.Delete(ctx, []string{docs[0].ID}); return err }(),
		"notes":  s.SetNotes(ctx, map[string]string{"a": "b"}),
	} {
		if !errors.Is(err, engine.ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	checkNotes(t, s, "", nil)
	s = m.reopened(t, s)
	counts(t, s, docs)
	for i := range docs {
		holds(t, s, &docs[i])
	}
}

// A store is not opened for vectors of another dimension; the error names both.
func testDimension(t *testing.T, m Maker) {
	attach := m.attached.Fill(t, m.corpus(5))
	if s, err := attach(engine.Options{Dimension: dim, ReadOnly: true}); err != nil {
		t.Error(err)
	} else if err := s.Close(); err != nil {
		t.Error(err)
	}
	s, err := attach(engine.Options{Dimension: dim + 1})
	var mismatch *engine.MismatchError
	if !errors.As(err, &mismatch) || mismatch.Stored != strconv.Itoa(dim) || mismatch.Given != strconv.Itoa(dim+1) {
		t.Errorf("%v, %v", s, err)
	}
}

// Many read at the same time.
func testReadTogether(t *testing.T, m Maker) {
	docs := m.corpus(50)
	s := m.stored(t, docs)
	calls := Calls(t, s, docs)
	var all sync.WaitGroup
	for reader := range 4 {
		all.Go(func() {
			for name, call := range calls {
				if err := call(context.Background()); err != nil {
					t.Errorf("reader %d, %s: %v", reader, name, err)
				}
			}
			v := [][]float32{vectorOf(fmt.Sprint(reader))}
			c, err := s.Pool(context.Background(), v, len(docs), nil, v)
			if err != nil || len(c.Refs) != len(docs) {
				t.Errorf("reader %d: %d documents, %v", reader, len(c.Refs), err)
			}
		})
	}
	all.Wait()
}
