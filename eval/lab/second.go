package lab

import (
	"context"
	"errors"
	"fmt"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/vec"
)

// SecondOrder is what became of conjunctions of three atoms whose score went on to
// the second order: to the product's score, which ends at the first, Weight times
// the sum of what pairs of atoms bring was added.
type SecondOrder struct {
	Weight  float64
	Queries []Measured
}

// RunSecondOrder ranks all documents for the queries A AND B AND C with each of
// the weights. A pair of atoms brings F_ij − max(a_i, a_j), its first difference
// (equation 3) taken as a term of the expansion over orders.
func RunSecondOrder(ctx context.Context, set *sets.Set, corpus *Corpus, how Passages, weights []float64) ([]SecondOrder, error) {
	m, err := corpus.matrix(how)
	if err != nil {
		return nil, err
	}
	out := make([]SecondOrder, len(weights))
	for i, w := range weights {
		out[i].Weight = w
	}
	found := false
	for i := range set.Queries {
		q := &set.Queries[i]
		if q.Template != sets.Templates[1] {
			continue
		}
		found = true
		scores, deltas, err := secondOrder(ctx, corpus, m, q)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		for k := range out {
			one, err := measured(q, corpus.best(scores, deltas, float32(out[k].Weight)))
			if err != nil {
				return nil, err
			}
			out[k].Queries = append(out[k].Queries, one)
		}
	}
	if !found {
		return nil, fmt.Errorf("%s has no queries of the template %s", set.Name, sets.Templates[1])
	}
	return out, nil
}

// secondOrder are the product's scores of all documents, and the sums of what
// pairs of atoms bring.
func secondOrder(ctx context.Context, corpus *Corpus, m *matrix, q *sets.Query) (scores, deltas []float32, err error) {
	f, err := formulaOf(q)
	if err != nil {
		return nil, nil, err
	}
	and, ok := f.Root.(*query.And)
	if !ok || len(and.Parts) != 3 || !query.AreAtoms(and.Parts) {
		return nil, nil, errors.New("it is not a conjunction of three atoms")
	}
	formulas := []*query.Formula{f}
	pairs := [][2]int{{0, 1}, {0, 2}, {1, 2}}
	for _, p := range pairs {
		pair, err := query.Normalize(&query.And{Parts: []query.Node{and.Parts[p[0]], and.Parts[p[1]]}})
		if err != nil {
			return nil, nil, err
		}
		formulas = append(formulas, pair)
	}
	encoded, err := corpus.formulas(ctx, formulas, fusion.Simple)
	if err != nil {
		return nil, nil, err
	}
	if scores, err = everyScore(ctx, m, encoded[0]); err != nil {
		return nil, nil, err
	}
	deltas = make([]float32, len(scores))
	for k, p := range pairs {
		e := encoded[k+1]
		term := func(n query.Node) []float32 { return e.Vectors[e.Formula.Terms.Index(n)] }
		columns, err := m.columns([][]float32{term(e.Formula.Monolithic()), term(and.Parts[p[0]]), term(and.Parts[p[1]])})
		if err != nil {
			return nil, nil, err
		}
		for i, fused := range columns[0] {
			// S is the cosine floored at 0, as in the product.
			deltas[i] += max(fused, 0) - max(columns[1][i], columns[2][i], 0)
		}
	}
	return scores, deltas, nil
}

// everyScore has the product's score of every document.
func everyScore(ctx context.Context, m *matrix, e *retrieve.Encoded) ([]float32, error) {
	o := retrieve.Options{Mode: retrieve.Exact}
	found, err := (&retrieve.Searcher{Store: m}).Find(ctx, e, o)
	if err != nil {
		return nil, err
	}
	ranking, err := found.Rank(o.Logic, len(found.Refs))
	if err != nil {
		return nil, err
	}
	scores := make([]float32, len(found.Refs))
	for i, line := range ranking.Lines {
		scores[found.Refs[line]] = ranking.Scores[i]
	}
	return scores, nil
}

// best are the ids of the documents that lead when weighted deltas are added.
func (c *Corpus) best(scores, deltas []float32, weight float32) (ids []string) {
	sums := make([]float32, len(scores))
	for i := range sums {
		sums[i] = scores[i] + weight*deltas[i]
	}
	top := vec.NewTopK(min(Depth, len(sums)))
	top.Push(0, sums)
	lines, _ := top.Ranked()
	for _, line := range lines {
		ids = append(ids, c.IDs[line])
	}
	return ids
}
