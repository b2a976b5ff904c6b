package postgres

import (
	"context"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// Pool fetches, for each of near, the documents and the passages that the indexes
// have nearest, and has the server compute the similarities of all of those. Where
// the k-th best found may be worse than what is in neither list, more is fetched.
// What the indexes themselves overlook stays overlooked, but where they return fewer
// than k documents, all are compared.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := remote.NewSearch(s.dim, near, k, filter, vectors)
	if err == nil {
		err = comparable(filter)
	}
	return s.columns(ctx, "searching", err, func(ctx context.Context) (*engine.Columns, error) {
		size, err := s.calls.Size.Get(ctx, s.count)
		if err != nil {
			return nil, err
		}
		f, err := s.search(ctx, search{Search: q, dim: s.dim}, size.Documents)
		if err != nil {
			return nil, err
		}
		return f.Columns(), nil
	})
}

// columns runs f, which may be run again.
func (s *Store) columns(ctx context.Context, doing string, problem error, f func(context.Context) (*engine.Columns, error)) (*engine.Columns, error) {
	return s.calls.Columns(ctx, doing, problem, func(ctx context.Context) (columns *engine.Columns, err error) {
		err = remote.Again(ctx, again, func() error {
			columns, err = f(ctx)
			return err
		})
		return columns, err
	})
}

// search goes by the indexes as far as they lead, and otherwise compares everything.
func (s *Store) search(ctx context.Context, q search, documents int) (f *remote.Findings, err error) {
	// Where much of the collection is wanted, to read all of it is quicker.
	if !s.calls.Options.Fill && s.dim <= maxIndexedHalf && 4*q.K < documents {
		state, err := s.reach.Search(q.K, 0, func(limit int) (remote.State, error) {
			// An index has to give limit·documents/passing before there are enough,
			// and one document from there costs some ten that are compared one by one.
			q.limit, q.few = limit, int(math.Sqrt(10*float64(limit)*float64(documents)))
			text, args := q.sql()
			var all bool
			f, all, err = s.find(ctx, &q, text, args)
			if err != nil || all {
				return remote.Complete, err
			}
			return f.State(max(1, documents)), nil
		})
		if err != nil || state == remote.Complete {
			return f, err
		}
	}
	q.exact, q.limit = true, q.K
	text, args := q.sql()
	f, _, err = s.find(ctx, &q, text, args)
	return f, err
}

// Compare has the server compute the similarities of documents.
func (s *Store) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := remote.NewComparison(s.dim, vectors)
	return s.columns(ctx, "comparing documents", err, func(ctx context.Context) (*engine.Columns, error) {
		q := search{Search: q, dim: s.dim, exact: true}
		text, args := q.comparison(numbers(refs))
		f, _, err := s.find(ctx, &q, text, args)
		if err != nil {
			return nil, err
		}
		return f.InOrder(refs), nil
	})
}

// find runs the statement of a search, and tells whether it has compared all
// documents that pass.
func (s *Store) find(ctx context.Context, q *search, text string, args arguments) (_ *remote.Findings, all bool, err error) {
	rows, err := s.query(ctx, text, args, q.settings())
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	f := q.Findings()
	f.Slack = 1e-6
	if s.dim > maxIndexed {
		f.Slack = 1e-3 // the lists are in half precision
	}
	var ref int64
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
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, false, err
		}
		for i, x := range values {
			if math.IsNaN(x) || math.Abs(x) > 1.001 {
				return nil, false, fmt.Errorf("the server has computed a similarity of %g, the stored vectors are not of length 1", x)
			}
			similarities[i] = float32(x)
		}
		f.Add(refOf(ref), similarities)
	}
	for j := range last {
		for i, x := range last[j] {
			f.Ends[j][i] = remote.End{Last: x, All: x == -2}
		}
	}
	f.Exact = all
	return f, all, rows.Err()
}
