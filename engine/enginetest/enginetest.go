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
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/vec"
)

// Store is the interface that the suite tests.
type Store = engine.Collection

// Maker tells the suite how to test a store that is written to.
type Maker struct {
	// Open opens the collection of a name, in lower case, and creates it if the test has not
	// opened it before. The suite closes it; it is removed with t.
	Open func(t testing.TB, name string, o engine.Options) (Store, error)
	// Overlap is the recall that the engine must reach by an approximate index. 0 is all.
	Overlap float64
	// Unsearched says that the engine finds nothing by words.
	Unsearched bool
	// Slow says that the server is slow: it gets fewer documents and fewer queries.
	Slow bool

	attached *attached // used in place of Open for attached stores
}

// Run runs the suite.
func Run(t *testing.T, m Maker) {
	if m.Overlap == 0 {
		m.Overlap = 1
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T, Maker)
	}{
		{"empty", testEmpty},
		{"upsert", testUpsert},
		{"delete", testDelete},
		{"documents", testDocuments},
		{"parts", testParts},
		{"find", testFind},
		{"list", testList},
		{"listed by filter", testListFilter},
		{"fields", testFields},
		{"facets", testFacets},
		{"marks", testMarks},
		{"portions", testPortions},
		{"notes", testNotes},
		{"refused", testRefused},
		{"ids", testIDs},
		{"pool", testPool},
		{"reach", testReach},
		{"compare", testCompare},
		{"sample", testSample},
		{"ties", testTies},
		{"queries", testQueries},
		{"filters", testFilters},
		{"trees", testTrees},
		{"starving", testStarving},
		{"identity", testIdentity},
		{"cancellation", testCancellation},
		{"concurrency", testConcurrency},
		{"writers", testWriters},
		{"huge", testHuge},
		{"words", testWords},
		{"captions", testCaptions},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, m) })
	}
}

// open makes an empty collection for a test.
func (m Maker) open(t testing.TB, dim int) Store {
	t.Helper()
	s, err := m.Open(t, "empty", engine.Options{Dimension: dim, Encoder: "enginetest"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// reopened closes a store and opens it again.
func (m Maker) reopened(t *testing.T, s Store) Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if m.attached != nil {
		return m.attached.opened(t, m.attached.again[s])
	}
	return m.open(t, dim)
}

// stored makes a collection with some documents.
func (m Maker) stored(t testing.TB, docs []engine.Document) Store {
	t.Helper()
	if m.attached != nil {
		return m.attached.opened(t, m.attached.Fill(t, docs))
	}
	s := m.open(t, dim)
	for batch := range slices.Chunk(docs, 8) {
		upsert(t, s, batch)
	}
	return s
}

// filled makes a collection with many documents.
func (m Maker) filled(t testing.TB, dim int, docs []engine.Document) Store {
	t.Helper()
	start := time.Now()
	if m.attached != nil {
		s := m.stored(t, docs)
		t.Logf("%d documents stored in %s", len(docs), time.Since(start).Round(time.Millisecond))
		return s
	}
	s, err := m.Open(t, "empty", engine.Options{Dimension: dim, Encoder: "enginetest", Fill: true})
	if err != nil {
		t.Fatal(err)
	}
	for batch := range slices.Chunk(docs, 1000) {
		upsert(t, s, batch)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = m.open(t, dim)
	t.Logf("%d documents stored in %s", len(docs), time.Since(start).Round(time.Millisecond))
	return s
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

// corpus is n documents for the collections of a maker.
func (m Maker) corpus(n int) []engine.Document {
	docs := corpus(n)
	if m.attached != nil {
		for i := range docs {
			m.attached.change(i, &docs[i])
		}
	}
	return docs
}

// id returns the id of document i: its name if ids can be any text.
func (m Maker) id(i int, name string) string {
	if m.attached != nil && m.attached.ID != nil {
		return m.attached.ID(i)
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
