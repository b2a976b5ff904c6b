package enginetest

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// Documents are compared by their refs, each as defined. Those that are gone are
// left out.
func testCompare(t *testing.T, m Maker) {
	docs := m.corpus(60)
	ctx, s := context.Background(), m.stored(t, docs)
	vectors := [][]float32{vectorOf("one"), vectorOf("two"), vectorOf("one"), vectorOf("second part of document 0")}
	byID := refsOf(t, s, len(docs))
	var refs []engine.Ref
	for i := range 40 {
		refs = append(refs, byID[docs[i].ID])
	}
	left := len(refs)
	if m.written() {
		must(s.Delete(ctx, []string{"id-3", "id-4", "id-50"}))(t)
		left -= 2
	}
	c := must(s.Compare(ctx, append(refs, engine.Ref{Number: 1 << 50, Key: "none"}), vectors))(t)
	got := checkColumns(t, s, "compared", c, docs, vectors)
	if len(c.Refs) != left || got[docs[3].ID] == m.written() || !got[docs[39].ID] {
		t.Errorf("%d documents are compared, want %d", len(c.Refs), left)
	}
	if c, err := s.Compare(ctx, nil, vectors); err != nil || len(c.Refs) != 0 || len(c.Similarities) != len(vectors) {
		t.Errorf("no documents: %+v, %v", c, err)
	}
	for what, vectors := range map[string][][]float32{"no vector": nil, "another dimension": {vectors[0][1:]}, "a zero vector": {make([]float32, dim)}} {
		_, err := s.Compare(ctx, refs, vectors)
		refused(t, what, err)
	}
}

// A sample has documents of all ages: its mean place in the order in which they were
// stored is near the middle, also when some were replaced since.
func testSample(t *testing.T, m Maker) {
	const n = 2000
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = engine.Document{ID: m.id(i, fmt.Sprint(i)), Vector: vectorOf(fmt.Sprint(i))}
	}
	ctx, s := context.Background(), m.filled(t, dim, docs)
	for range 2 {
		for _, size := range []int{500, 100} {
			checkSample(t, s, docs, size)
		}
		if m.written() {
			upsert(t, s, docs[:n/4])
		}
	}
	if all, err := s.Sample(ctx, 10*n); err != nil || len(all) != n {
		t.Errorf("a sample of %d, %v, want all %d", len(all), err, n)
	}
}

func checkSample(t *testing.T, s Store, docs []engine.Document, size int) {
	t.Helper()
	n, places := len(docs), map[string]int{}
	for i := range docs {
		places[docs[i].ID] = i
	}
	refs := must(s.Sample(context.Background(), size))(t)
	found := must(s.Documents(context.Background(), refs, engine.NoParts))(t)
	sum, seen := 0, map[string]bool{}
	for _, d := range found {
		place, there := places[d.ID]
		if !there || seen[d.ID] {
			t.Fatalf("the sample has %q twice, or a document that is not stored", d.ID)
		}
		seen[d.ID] = true
		sum += place
	}
	mean, off := float64(sum)/float64(len(found)), float64(n)/math.Sqrt(12*float64(len(found))) // as a rule
	if len(found) > size || len(found) < size/2 || math.Abs(mean-float64(n)/2) > 4*off {
		t.Errorf("a sample of %d with a mean of %.0f, want up to %d around %d", len(found), mean, size, n/2)
	}
}
