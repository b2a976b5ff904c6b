package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// scatter are documents with vectors of length 1.
func scatter(r *rand.Rand, n int) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint(i), Text: "text", Vector: scattered(r), Metadata: fmt.Appendf(nil, `{"n": %d}`, i)}
	}
	return docs
}

func scattered(r *rand.Rand) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64() + 0.4)
	}
	if err := storekit.Unit(v); err != nil {
		panic(err)
	}
	return v
}

// TestRank: the server ranks as the program does on the similarities that it sends, gates
// and filter included.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ctx, dsn := context.Background(), sharedDSN(t)
	table := attachedTo(t, shelf{id: "bigint", vector: "vector(" + fmt.Sprint(dim) + ")"}.fill(t, dsn, schema(collection(t, dsn)), scatter(r, 300)))
	if !table.Ranks() {
		t.Error("a table without an index does not rank")
	}
	for _, text := range []string{"A", "A AND B", "A AND NOT B", "A AND B AND NOT C n:>=40", "A OR B OR C", "A AND NOT (B AND NOT C)", "NOT A", "(A OR B^2) AND NOT C"} {
		f, err := query.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		program, err := logic.Compile(f, logic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		score, err := pushdown.New(program)
		if err != nil {
			t.Fatal(err)
		}
		var vectors [][]float32
		for range f.Terms.Len() {
			vectors = append(vectors, scattered(r))
		}
		refs, scores, maxima, err := table.Rank(ctx, score, vectors, f.Filter, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if want := 300; f.Filter == nil && len(refs) != want || f.Filter != nil && len(refs) != want-40 {
			t.Fatalf("%s: %d rows", text, len(refs))
		}
		columns, err := table.Compare(ctx, refs, vectors)
		if err != nil {
			t.Fatal(err)
		}
		here := make([]float32, len(refs))
		tops, err := program.Rank(here, columns.Similarities)
		if err != nil {
			t.Fatal(err)
		}
		for g, top := range tops {
			if math.Abs(top-maxima[g]) > 1e-6 {
				t.Errorf("%s: maximum %d is %v, here %v", text, g, maxima[g], top)
			}
		}
		for i := range refs {
			if math.Abs(float64(here[i])-scores[i]) > 1e-5 || i > 0 && scores[i] > scores[i-1] {
				t.Fatalf("%s: row %d of the ranking has %v, here %v", text, i, scores[i], here[i])
			}
		}
		few, _, again, err := table.Rank(ctx, score, vectors, f.Filter, 3)
		if err != nil || len(few) != 3 || few[0] != refs[0] {
			t.Errorf("%s: the first are %v, %v", text, few, err)
		}
		for g := range maxima {
			if again[g] != maxima[g] {
				t.Errorf("%s: of fewer results the maximum is another", text)
			}
		}
	}
}

// noEncoder is for formulas without words.
type noEncoder struct{}

func (noEncoder) Identity() encoder.Identity { return encoder.Identity{Name: "none"} }

func (noEncoder) Encode(context.Context, encoder.Role, []string) (encoder.Encoded, error) {
	return encoder.Encoded{}, errors.New("there is nothing to encode")
}

// TestRankedSearch: a search by ranking finds what a pool of everything does, with proof.
func TestRankedSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ctx, dsn := context.Background(), sharedDSN(t)
	table := attachedTo(t, shelf{id: "bigint", vector: "vector(" + fmt.Sprint(dim) + ")"}.fill(t, dsn, schema(collection(t, dsn)), scatter(r, 3000)))
	none := 0.0
	for _, text := range []string{"like:1 AND NOT like:2", "like:3 AND like:4 AND NOT like:5", "like:6 OR like:7", "like:8 AND NOT (like:9 AND NOT like:10) n:<2000"} {
		q, err := retrieve.Read(t.Context(), text, retrieve.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(store engine.Store, candidates int, mode retrieve.Mode) *retrieve.Result {
			s := &retrieve.Searcher{Store: store, Encoder: noEncoder{}}
			result, err := s.Search(ctx, q, retrieve.Options{K: 20, AllCopies: true, Research: retrieve.Research{Mode: mode, Words: &none, Candidates: candidates}})
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		got := ask(table, 100, retrieve.Hybrid)
		if got.Proof == nil || got.Proof.Exact != 20 || got.Proof.Approximate {
			t.Errorf("%s: the proof is %+v", text, got.Proof)
		}
		want := ask(table, 5000, retrieve.Rerank)
		for i := range want.Hits {
			if got.Hits[i].ID != want.Hits[i].ID || math.Abs(got.Hits[i].Score-want.Hits[i].Score) > 1e-5 {
				t.Errorf("%s: hit %d is %s with %v, want %s with %v", text, i, got.Hits[i].ID, got.Hits[i].Score, want.Hits[i].ID, want.Hits[i].Score)
			}
		}
	}
}
