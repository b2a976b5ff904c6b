package peers

import (
	"context"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// KnownItem is how well one method finds the pages people want: one value per query.
type KnownItem struct {
	Name    string
	Kinds   []string  // of the queries
	First   []float64 // 1 where the first result is a target
	Five    []float64 // 1 where one of the first five is
	Inverse []float64 // 1 over the rank of the first target, 0 beyond rank 50
	// Leaks is the share of the first five results about what a query excludes, for
	// queries that exclude something.
	Leaks []float64
}

// knownDepth is the rank beyond which a target counts as not found.
const knownDepth = 50

// Known ranks the documents of a known-item set for every query: by nsfl's default for the
// formula, the sentence read as a formula, the sentence as one atom and the wanted part
// alone, by the paper's calculus, and by peers that are given the sentence or the wanted
// part.
func Known(ctx context.Context, set *sets.Set, corpus *lab.Corpus, p *profile.Profile) ([]KnownItem, error) {
	r := &run{set: set, corpus: corpus}
	if err := r.read(); err != nil {
		return nil, err
	}
	asWanted := func(_ context.Context, q *sets.Query) (query.Node, string, error) {
		return wantedPart(q.Formula), "", nil
	}
	var out []KnownItem
	for _, m := range []struct {
		name    string
		ask     asking // nil for the formula
		mode    retrieve.Mode
		profile *profile.Profile
	}{
		{"nsfl: formula", nil, retrieve.Exact, p},
		{"nsfl: sentence, read", asRead, retrieve.Exact, p},
		{"nsfl: sentence, unread", asSentence, retrieve.Exact, p},
		{"nsfl: wanted part alone", asWanted, retrieve.Exact, p},
		{"paper: formula", nil, retrieve.Exact, profile.Paper()},
		{"dense: sentence", asSentence, retrieve.Baseline, nil},
		{"dense: wanted part", asWanted, retrieve.Baseline, nil},
	} {
		o, err := r.rank(ctx, m.mode, lab.Stored, m.profile, m.ask)
		if err != nil {
			return nil, err
		}
		item := KnownItem{Name: m.name}
		for i := range set.Queries {
			item.add(&set.Queries[i], o.Queries[i].Ranking)
		}
		out = append(out, item)
	}
	byWords, err := r.knownByWords(ctx)
	return append(out, byWords...), err
}

// knownByWords are the peers that go by words, alone or together with dense retrieval.
func (r *run) knownByWords(ctx context.Context) ([]KnownItem, error) {
	names := []string{"BM25: sentence", "BM25: wanted part", "RRF of dense and BM25: sentence", "RRF of dense and BM25: wanted part", "Boolean words, dense ties"}
	out := make([]KnownItem, len(names))
	for i := range r.set.Queries {
		q := &r.set.Queries[i]
		sentence, wanted := &sets.Query{ID: q.ID, Text: q.Text}, *q
		wanted.Formula = wantedPart(q.Formula).String()
		wantedFormula, err := query.ParseFormula(wanted.Formula)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		denseSentence, err := r.dense(ctx, sentence)
		if err != nil {
			return nil, err
		}
		denseWanted, err := r.dense(ctx, &wanted)
		if err != nil {
			return nil, err
		}
		bm25, bm25Wanted := Ranking(r.lexicon.BM25(q.Text)), r.lexicon.Words(wantedFormula)
		for k, ranking := range []Ranking{
			bm25, bm25Wanted, Reciprocal(denseSentence, bm25), Reciprocal(denseWanted, bm25Wanted),
			r.lexicon.Boolean(r.formulas[i]).WithTies(denseSentence),
		} {
			out[k].Name = names[k]
			out[k].add(q, r.best(ranking, knownDepth))
		}
	}
	return out, nil
}

// add measures the ranking of one query.
func (k *KnownItem) add(q *sets.Query, ranking []string) {
	rank := slices.IndexFunc(ranking[:min(knownDepth, len(ranking))], func(id string) bool { return q.Grade(id) > 0 }) + 1
	is := func(ok bool) float64 {
		if ok {
			return 1
		}
		return 0
	}
	inverse := 0.0
	if rank > 0 {
		inverse = 1 / float64(rank)
	}
	k.Kinds = append(k.Kinds, q.Template)
	k.First, k.Five, k.Inverse = append(k.First, is(rank == 1)), append(k.Five, is(rank > 0 && rank <= 5)), append(k.Inverse, inverse)
	if len(q.AboutExcluded) == 0 {
		return
	}
	leaks, first := 0.0, ranking[:min(5, len(ranking))]
	for _, id := range first {
		leaks += is(slices.Contains(q.AboutExcluded, id))
	}
	k.Leaks = append(k.Leaks, leaks/float64(max(1, len(first))))
}

// wantedPart returns a formula without what its conjunction excludes.
func wantedPart(formula string) query.Node {
	n, err := query.Parse(formula)
	if err != nil {
		return &query.Atom{Text: formula}
	}
	and, ok := n.(*query.And)
	if !ok {
		return n
	}
	parts := slices.DeleteFunc(slices.Clone(and.Parts), func(p query.Node) bool { _, not := p.(*query.Not); return not })
	if len(parts) == 0 {
		return n
	}
	return query.AllOf(parts...)
}
