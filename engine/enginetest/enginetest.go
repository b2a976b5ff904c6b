// Package enginetest is the conformance suite for the embedded collection and every engine. It
// tests the contract of package engine.
//
// It knows a store only by the interfaces of package engine, and compares it with plain
// reference implementations. It is for tests; no product code imports it.
package enginetest

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/passage"
)

// Store is the interface that the suite tests.
type Store = engine.Collection

// Maker tells the suite how to test a store. It has Open or Fill.
type Maker struct {
	// Open opens the collection of a name, in lower case, and creates it if the test has not
	// opened it before. The suite closes it; it is removed with t.
	Open func(t testing.TB, name string, o engine.Options) (Store, error)
	// Fill stores documents as another program would, in a place that is removed with t, and
	// returns a function that attaches to it. No document has passages; titles, texts and
	// metadata may be missing. Fill rounds docs if the place does.
	Fill func(t testing.TB, docs []engine.Document) (attach func(engine.Options) (Store, error))
	// Overlap is the recall that the engine must reach by an approximate index. 0 is all.
	Overlap float64
	// Unsearched says that the engine finds nothing by words.
	Unsearched bool
	// Slow says that the server is slow: it gets fewer documents and fewer queries.
	Slow bool

	// ID is the id of the i-th document of Fill, where not every text can be one.
	ID func(i int) string
	// Mixed says that a field can be of another type in each document of Fill, as in JSON.
	Mixed bool
	// Flat says that fields are neither lists nor objects.
	Flat bool
	// Unit says that the vectors for Fill are of length 1, since the index would not order others
	// by their cosines.
	Unit bool

	// attach attaches to the last place that was filled.
	attach *func(engine.Options) (Store, error)
}

func (m Maker) written() bool { return m.Fill == nil }

// Run runs the suite. Of a store that Fill fills, it tests what applies to one that is read.
func Run(t *testing.T, m Maker) {
	exact, written := m.Overlap == 0, m.written()
	if exact {
		m.Overlap = 1
	}
	m.attach = new(func(engine.Options) (Store, error))
	// The table of filters has fields of mixed types, lists and objects, and ids of its own.
	mixed := written || m.Mixed && !m.Flat && m.ID == nil
	for _, test := range []struct {
		name    string
		run     func(*testing.T, Maker)
		applies bool
	}{
		{"read only", testReadOnly, !written},
		{"dimension", testDimension, !written},
		{"empty", testEmpty, written},
		{"upsert", testUpsert, written},
		{"delete", testDelete, written},
		{"documents", testDocuments, true},
		{"parts", testParts, true},
		{"find", testFind, true},
		{"list", testList, true},
		{"facets", testFacets, true},
		{"marks", testMarks, written},
		{"marks of a reopened store", testReopenedMarks, true},
		{"portions", testPortions, true},
		{"notes", testNotes, written},
		{"refused", testRefused, written},
		{"ids", testIDs, written},
		{"pool", testPool, true},
		{"reach", testReach, written},
		{"compare", testCompare, true},
		{"sample", testSample, true},
		{"queries", testQueries, true},
		{"typed filters", testTyped, !written},
		{"filters", testFilters, mixed},
		{"trees", testTrees, mixed},
		{"starving", testStarving, true},
		{"identity", testIdentity, written},
		{"cancellation", testCancellation, true},
		{"concurrency", testConcurrency, written},
		{"concurrent readers", testReadTogether, !written},
		{"writers", testWriters, written},
		{"huge", testHuge, true},
		{"words", testWords, true},
		{"captions", testCaptions, written || !exact}, // an attached store without an index needs no recall
	} {
		if test.applies {
			t.Run(test.name, func(t *testing.T) { test.run(t, m) })
		}
	}
}

func must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		check(t, err)
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func closed(t testing.TB, s Store) Store {
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (m Maker) open(t testing.TB, dim int) Store {
	t.Helper()
	return closed(t, must(m.Open(t, "empty", engine.Options{Dimension: dim, Encoder: "enginetest"}))(t))
}

func (m Maker) reopened(t *testing.T, s Store) Store {
	t.Helper()
	check(t, s.Close())
	if !m.written() {
		return closed(t, must((*m.attach)(engine.Options{}))(t))
	}
	return m.open(t, dim)
}

func (m Maker) stored(t testing.TB, docs []engine.Document) Store {
	t.Helper()
	if !m.written() {
		*m.attach = m.Fill(t, docs)
		return closed(t, must((*m.attach)(engine.Options{}))(t))
	}
	s := m.open(t, dim)
	for batch := range slices.Chunk(docs, 8) {
		upsert(t, s, batch)
	}
	return s
}

func (m Maker) filled(t testing.TB, dim int, docs []engine.Document) Store {
	t.Helper()
	if !m.written() {
		return m.stored(t, docs)
	}
	s := must(m.Open(t, "empty", engine.Options{Dimension: dim, Encoder: "enginetest", Fill: true}))(t)
	for batch := range slices.Chunk(docs, 1000) {
		upsert(t, s, batch)
	}
	check(t, s.Close())
	return m.open(t, dim)
}

// Dimension is the dimension of the vectors of the suite.
const Dimension = 16

const dim = Dimension

// vectorOf returns the unit vector for a name. All of them lean slightly in one direction,
// like the vectors of an encoder.
func vectorOf(name string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64()) + 0.4
	}
	if err := vec.Normalize(v); err != nil {
		panic(err)
	}
	return v
}

// places are places of passages that are unknown, partly known or fully known.
var places = []passage.Place{
	{}, {Heading: "Install › From “source”, 源"}, {Page: 3}, {Line: 1 << 30}, {Heading: "\x00 ' \\", Page: 1, Line: 2},
}

func (m Maker) corpus(n int) []engine.Document {
	docs := corpus(n)
	if !m.written() {
		for i := range docs {
			m.change(i, &docs[i])
		}
	}
	return docs
}

func (m Maker) id(i int, name string) string {
	if m.ID != nil {
		return m.ID(i)
	}
	return name
}

// corpus returns n documents. Every third has three passages, and every seventh of the others
// has one.
func corpus(n int) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		name := fmt.Sprint("document ", i)
		d := engine.Document{
			ID: fmt.Sprint("id-", i), Title: "title of " + name, Text: "text of " + name,
			Metadata: []byte(fmt.Sprintf(`{"n": %d, "even": %t}`, i, i%2 == 0)),
			Vector:   vectorOf(name),
		}
		switch {
		case i%3 == 0:
			for j, part := range []string{"first", "second", "third"} {
				part += " part of " + name
				d.Passages = append(d.Passages, engine.Passage{Text: part, Place: places[(i+j)%len(places)], Vector: vectorOf(part)})
			}
		case i%7 == 0:
			d.Passages = []engine.Passage{{Text: "only part of " + name, Place: places[i%len(places)]}}
		}
		docs[i] = d
	}
	return docs
}

// similarity of a document to a unit vector, by the definition in package engine.
func similarity(d *engine.Document, v []float32) float64 {
	whole := Cosine(d.Vector, v)
	if len(d.Passages) < 2 {
		return whole
	}
	best := math.Inf(-1)
	for _, p := range d.Passages {
		best = max(best, Cosine(p.Vector, v))
	}
	return (whole + best) / 2
}

// Cosine returns the cosine of two vectors of any length.
func Cosine(a, b []float32) float64 {
	return vec.Dot64(a, b) / math.Sqrt(vec.Dot64(a, a)*vec.Dot64(b, b))
}
