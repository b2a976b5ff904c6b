package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// A collection remembers what its vectors come from, and its documents.
func testIdentity(t *testing.T, m Maker) {
	first := engine.Options{Dimension: dim, Encoder: `encoder "one" in 'quotes'`}
	s := must(m.Open(t, "identity", first))(t)
	docs := corpus(3)
	upsert(t, s, docs)
	check(t, s.Close())
	other := first
	other.Encoder = "encoder two"
	if s, err := m.Open(t, "identity", other); err == nil {
		t.Errorf("another encoder was accepted, %v", s.Close())
	} else if !strings.Contains(err.Error(), "encoder two") || !strings.Contains(err.Error(), "in 'quotes'") {
		t.Errorf("the error does not name both encoders: %v", err)
	}
	other = first
	other.Dimension++
	if s, err := m.Open(t, "identity", other); err == nil {
		t.Errorf("another dimension was accepted, %v", s.Close())
	} else if !strings.Contains(err.Error(), fmt.Sprint(dim)) || !strings.Contains(err.Error(), fmt.Sprint(dim+1)) {
		t.Errorf("the error does not name both dimensions: %v", err)
	}
	s = must(m.Open(t, "identity", first))(t)
	defer s.Close() //nolint:errcheck // it was closed well before
	if s.Encoder() != first.Encoder {
		t.Errorf("the encoder is %q, want %q", s.Encoder(), first.Encoder)
	}
	counts(t, s, docs)
	holds(t, s, docs...)
}

// Every call ends with the context's error once the context is done, and leaves
// the store usable.
func testCancellation(t *testing.T, m Maker) {
	docs := m.corpus(200)
	s := m.stored(t, docs)
	calls := Calls(t, s, docs)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, call := range calls {
		err := call(cancelled)
		if slices.Contains([]string{"Size", "Sample", "Statistics"}, name) && err == nil {
			continue // a store may know it without asking
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context: %v", name, err)
		}
	}
	counts(t, s, docs)
	checkNotes(t, s, "", nil)
	// In the middle of the work it is either done or cancelled.
	for name, call := range calls {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- call(ctx) }()
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
	}
	holds(t, s, docs[:20]...)
	counts(t, s, docs)
}

// Calls are all that a store can be asked that has documents, and done to it unless it is
// only read. Upsert stores them again, and Delete removes none.
func Calls(t *testing.T, s Store, docs []engine.Document) map[string]func(context.Context) error {
	t.Helper()
	ref := must(s.Find(context.Background(), docs[1].ID))(t)
	v, refs := [][]float32{docs[0].Vector}, []engine.Ref{ref}
	calls := map[string]func(context.Context) error{
		"Size":      func(ctx context.Context) error { _, err := s.Size(ctx); return err },
		"Pool":      func(ctx context.Context) error { _, err := s.Pool(ctx, v, 1, nil, v); return err },
		"all":       func(ctx context.Context) error { _, err := s.Pool(ctx, v, 1000, nil, v); return err },
		"filter":    func(ctx context.Context) error { _, err := s.Pool(ctx, v, 3, filterOf(t, "n:>3"), v); return err },
		"Compare":   func(ctx context.Context) error { _, err := s.Compare(ctx, refs, v); return err },
		"Sample":    func(ctx context.Context) error { _, err := s.Sample(ctx, 3); return err },
		"Documents": func(ctx context.Context) error { _, err := s.Documents(ctx, refs, engine.AllParts); return err },
		"Get":       func(ctx context.Context) error { _, err := s.Get(ctx, docs[1].ID, engine.AllParts); return err },
		"Find":      func(ctx context.Context) error { _, err := s.Find(ctx, docs[1].ID); return err },
		"List": func(ctx context.Context) error {
			_, _, err := s.List(ctx, engine.Page{Limit: 3, Parts: engine.Texts})
			return err
		},
	}
	if err := s.Upsert(context.Background(), nil); !errors.Is(err, engine.ErrReadOnly) {
		calls["Notes"] = func(ctx context.Context) error { _, err := s.Notes(ctx, ""); return err }
		calls["SetNotes"] = func(ctx context.Context) error { return s.SetNotes(ctx, map[string]string{"a": "b", "c": ""}) }
		calls["Upsert"] = func(ctx context.Context) error { return s.Upsert(ctx, docs) }
		calls["Delete"] = func(ctx context.Context) error { _, err := s.Delete(ctx, []string{"none"}); return err }
	}
	if w := engine.CapabilitiesOf(s).Lexical; w != nil {
		q, best := words.NewQuery([]string{"text"}, words.NewStatistics()), []engine.TopK{byAtom(0, 3)}
		calls["Statistics"] = func(ctx context.Context) error { _, err := w.Statistics(ctx); return err }
		calls["MatchTerms"] = func(ctx context.Context) error { _, err := w.MatchTerms(ctx, q, nil, best); return err }
		calls["TermScores"] = func(ctx context.Context) error { _, err := w.TermScores(ctx, q, refs); return err }
	}
	return calls
}

// Batches that want the same ids at the same time leave each document whole, and all
// of them counted.
func testWriters(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	docs := Documents(20)
	var all sync.WaitGroup
	for w := range 3 {
		all.Go(func() {
			mine := slices.Clone(docs)
			for i := range mine {
				j := (i * (7 + 2*w)) % len(mine) // another order for each
				mine[i], mine[j] = mine[j], mine[i]
			}
			for range 3 {
				if err := s.Upsert(ctx, mine); err != nil {
					t.Error(err)
				}
				if _, err := s.Delete(ctx, []string{fmt.Sprint("id-", w)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	upsert(t, s, docs)
	counts(t, s, docs)
	holds(t, s, docs...)
}

// Readers see every document whole while a writer replaces them.
func testConcurrency(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	const n, versions, readers, least = 20, 8, 3, 10
	version := func(round int) []engine.Document {
		docs := corpus(n)
		for i := range docs {
			docs[i].Title, docs[i].Text = fmt.Sprint(round), fmt.Sprint(round)
			for j := range docs[i].Passages {
				docs[i].Passages[j].Text = fmt.Sprint(round)
			}
		}
		return docs
	}
	upsert(t, s, version(0))
	written := make(chan struct{})
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for i, last := 0, false; !last || i < least; i++ {
				select {
				case <-written:
					last = true
				default:
				}
				if err := readWhole(ctx, s); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for round := range versions {
		if err := s.Upsert(ctx, version(round+1)); err != nil {
			t.Error(err)
		}
		if _, err := s.Delete(ctx, []string{"id-3"}); err != nil {
			t.Error(err)
		}
	}
	close(written)
	all.Wait()
	docs := version(versions)
	counts(t, s, append(docs[:3:3], docs[4:]...))
	holds(t, s, docs[6])
}

func readWhole(ctx context.Context, s Store) error {
	v := [][]float32{vectorOf("anything")}
	columns, err := s.Pool(ctx, v, 10, &query.Predicate{Field: "even", Value: "true"}, v)
	if err != nil {
		return err
	}
	docs, err := s.Documents(ctx, columns.Refs, engine.AllParts)
	if err != nil {
		return err
	}
	one, err := s.Get(ctx, "id-6", engine.AllParts)
	if err != nil {
		return err
	}
	for _, d := range append(docs, one) {
		for _, p := range d.Passages {
			if p.Text != d.Text || d.Title != d.Text {
				return fmt.Errorf("%s is torn: %q, %q, %q", d.ID, d.Title, d.Text, p.Text)
			}
		}
	}
	return nil
}
