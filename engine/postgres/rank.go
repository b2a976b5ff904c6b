package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/pushdown"
	"github.com/nsfl-go/nsfl/query"
)

// Ranks reports whether the server ranks all rows itself more cheaply than it finds the
// nearest: where no index leads to those, both are a scan, and one is enough.
func (t *Table) Ranks() bool { return t.access == nil }

// Rank has the server rank all rows that pass, in one statement.
func (t *Table) Rank(ctx context.Context, score *pushdown.Score, vectors [][]float32, filter query.Node, k int) (refs []engine.Ref, scores, maxima []float64, err error) {
	const doing = "ranking rows"
	read := make([][]float32, len(score.Terms))
	for i, term := range score.Terms {
		read[i] = vectors[term]
	}
	q, err := remote.NewSearch(t.dim, read[:1], k, filter, read)
	if err == nil {
		err = errors.Join(comparable(filter), checkDots(filter))
	}
	if err != nil {
		return nil, nil, nil, t.calls.Explain(doing, err)
	}
	args := slices.Clone(t.given)
	from := pushdown.Source{Table: t.rel.name, ID: fmt.Sprintf("t.%s::text", quoted(t.roles.ID)), Vector: t.vector, Vectors: map[int]string{}}
	for i, term := range score.Terms {
		from.Vectors[term] = args.add(vector(read[i])) + "::vector"
	}
	from.Where = fmt.Sprintf("%s AND t.%s::text <> '' AND %s", t.there, quoted(t.roles.ID), t.fields.where(q.Filter, &args))
	text := pushdown.Ranking(score, from, args.add(k))
	err = t.read(ctx, doing, func(ctx context.Context) error {
		refs, scores, maxima = nil, nil, make([]float64, len(score.Gates))
		var id string
		var value float64
		targets := []any{&id, &value}
		for g := range maxima {
			targets = append(targets, &maxima[g])
		}
		return t.each(ctx, text, args, nil, targets, func() error {
			if math.IsNaN(value) {
				return fmt.Errorf("the server has computed a score that is not a number for row %.64q", id)
			}
			refs, scores = append(refs, engine.Ref{Key: id}), append(scores, value)
			return nil
		})
	})
	return refs, scores, maxima, err
}
