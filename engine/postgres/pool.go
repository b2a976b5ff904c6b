package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// Lists fetches, for each of f.Near, the documents and the passages that the indexes have
// nearest, and has the server compute the similarities of all of those.
func (d managedDriver) Lists(ctx context.Context, f *remote.Findings, limit int) error {
	q := search{Search: f.Search, dim: d.dim, exact: limit == 0, limit: cmp.Or(limit, f.K)}
	if !q.exact {
		size, err := d.calls.Size.Get(ctx, d.Size)
		if err != nil {
			return err
		}
		// An index has to give limit·documents/passing before there are enough, and one
		// document from there costs some ten that are compared one by one.
		q.few = int(math.Sqrt(10 * float64(limit) * float64(size.Documents)))
	}
	text, args := q.sql()
	return d.find(ctx, f, &q, text, args)
}

// Compare has the server compute the similarities of documents.
func (d managedDriver) Compare(ctx context.Context, f *remote.Findings, refs []engine.Ref) error {
	q := search{Search: f.Search, dim: d.dim, exact: true}
	text, args := q.comparison(numbers(refs))
	return d.find(ctx, f, &q, text, args)
}

// find runs the statement of a search.
func (d managedDriver) find(ctx context.Context, f *remote.Findings, q *search, text string, args arguments) error {
	f.Slack = 1e-6
	if d.dim > maxIndexed {
		f.Slack = 1e-3 // the lists are in half precision
	}
	var ref int64
	var all bool // documents that pass were compared
	values, similarities := make([]float64, len(q.Vectors)), make([]float32, len(q.Vectors))
	last := make([][2]float64, len(q.Near))
	targets := []any{&ref}
	for i := range values {
		targets = append(targets, &values[i])
	}
	targets = append(targets, &all)
	for j := range last {
		last[j] = [2]float64{-2, -2} // where there is no row
		targets = append(targets, &last[j][0], &last[j][1])
	}
	err := d.each(ctx, d.statement(text), args, q.settings(), targets, func() error {
		for i, x := range values {
			if math.IsNaN(x) || math.Abs(x) > 1.001 {
				return fmt.Errorf("the server has computed a similarity of %g, the stored vectors are not of length 1", x)
			}
			similarities[i] = float32(x)
		}
		f.Add(refOf(ref), similarities)
		return nil
	})
	for j := range last {
		for i, x := range last[j] {
			f.Ends[j][i] = remote.End{Last: x, All: x == -2}
		}
	}
	f.Exact = all || q.exact
	return err
}
