package index

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
)

// testDim is odd to leave a remainder in every kernel.
const testDim = 19

// source returns a random source and logs its seed.
func source(tb testing.TB, seed uint64) *rand.Rand {
	tb.Helper()
	tb.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

func randomVector(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// randomDocument returns a document with 0 to 4 passages and some metadata.
func randomDocument(r *rand.Rand, id string, dim int) engine.Document {
	d := engine.Document{
		ID: id, Title: "title of " + id, Text: fmt.Sprintf("text %d of %s", r.IntN(1000), id),
		Metadata: json.RawMessage(fmt.Sprintf(`{"year":%d,"tag":["a%d","b"],"in":{"deep":true}}`, 1990+r.IntN(40), r.IntN(5))),
		Vector:   randomVector(r, dim),
	}
	for i := range r.IntN(5) {
		d.Passages = append(d.Passages, engine.Passage{Text: fmt.Sprintf("passage %d of %s", i, id), Vector: randomVector(r, dim)})
	}
	return d
}

func randomDocuments(r *rand.Rand, n, dim int) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = randomDocument(r, fmt.Sprintf("doc-%d", i), dim)
	}
	return docs
}

func create(tb testing.TB, o Options) *Collection {
	tb.Helper()
	if o.Dimension == 0 {
		o.Dimension = testDim
	}
	c, err := Create(tb.Context(), filepath.Join(tb.TempDir(), "a collection?#%"), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { must(tb, c.Close()) })
	return c
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// expectSound fails unless Verify finds no damage.
func expectSound(tb testing.TB, dir string) *Report {
	tb.Helper()
	report, err := Verify(context.Background(), dir)
	must(tb, err)
	for _, d := range report.Damage {
		tb.Errorf("got damage %v, want none", d)
	}
	return report
}

// sameDocument compares a stored document with what was read.
func sameDocument(stored, read engine.Document) error {
	if stored.ID != read.ID || stored.Title != read.Title || stored.Text != read.Text || string(stored.Metadata) != string(read.Metadata) {
		return fmt.Errorf("stored %+v, read %+v", stored, read)
	}
	if len(stored.Passages) != len(read.Passages) {
		return fmt.Errorf("%s: stored %d passages, read %d", stored.ID, len(stored.Passages), len(read.Passages))
	}
	for i := range stored.Rows() {
		if err := sameDirection(stored.Row(i), read.Row(i)); err != nil {
			return fmt.Errorf("%s, vector %d: %w", stored.ID, i, err)
		}
	}
	for i, p := range stored.Passages {
		if p.Text != read.Passages[i].Text {
			return fmt.Errorf("%s: stored passage %q, read %q", stored.ID, p.Text, read.Passages[i].Text)
		}
	}
	return nil
}

// sameDirection checks that unit is v scaled to length 1.
func sameDirection(v, unit []float32) error {
	if len(v) != len(unit) {
		return fmt.Errorf("dimensions %d and %d", len(v), len(unit))
	}
	var norm float64
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	norm = math.Sqrt(norm)
	for i, x := range v {
		if math.Abs(float64(x)/norm-float64(unit[i])) > 1e-6 {
			return fmt.Errorf("component %d is %g, not %g", i, unit[i], float64(x)/norm)
		}
	}
	return nil
}

// expectDocuments compares the whole collection with want.
func expectDocuments(tb testing.TB, c *Collection, want map[string]engine.Document) {
	tb.Helper()
	ctx := context.Background()
	n, err := count(ctx, c)
	must(tb, err)
	if n != len(want) {
		tb.Errorf("%d documents, want %d", n, len(want))
	}
	seen := 0
	for after := ""; ; {
		docs, last, err := c.List(ctx, engine.Page{After: after, Limit: 7, Parts: engine.AllParts})
		must(tb, err)
		if len(docs) == 0 {
			break
		}
		if last == after {
			tb.Fatalf("got no page after %q, want another", after)
		}
		for _, d := range docs {
			stored, ok := want[d.ID]
			if !ok {
				tb.Errorf("got %q, want only what was stored", d.ID)
				continue
			}
			read, err := c.Get(ctx, d.ID, engine.AllParts)
			must(tb, err)
			if err := sameDocument(stored, read); err != nil {
				tb.Error(err)
			}
			if d.Text != read.Text {
				tb.Errorf("%s: got %q listed, want %q as read", d.ID, d.Text, read.Text)
			}
		}
		seen += len(docs)
		after = last
	}
	if seen != len(want) {
		tb.Errorf("%d documents listed, want %d", seen, len(want))
	}
	expectPieces(tb, c, want)
}

// expectPieces compares the stored word pieces with those of the documents' texts. A
// collection without word pieces must return none.
func expectPieces(tb testing.TB, c *Collection, want map[string]engine.Document) {
	tb.Helper()
	must(tb, c.withSnapshot(context.Background(), "looking at words", func(s *snapshot) error {
		for slot := range s.slots {
			if s.dead.has(slot) {
				continue
			}
			d := want[s.id(slot)]
			if got, want := s.pieces(slot), words.Pieces(d.Segments()); !slices.Equal(got, want) {
				tb.Errorf("%s has pieces %v, want %v", d.ID, got, want)
			}
		}
		return nil
	}))
}

// idsOf returns the ids of documents.
func idsOf(ctx context.Context, c *Collection, refs []engine.Ref) ([]string, error) {
	docs, err := c.Documents(ctx, refs, engine.NoParts)
	ids := make([]string, len(docs))
	for i := range docs {
		ids[i] = docs[i].ID
	}
	return ids, err
}

// count returns the number of documents.
func count(ctx context.Context, c *Collection) (int, error) {
	size, err := c.Size(ctx)
	return size.Documents, err
}
