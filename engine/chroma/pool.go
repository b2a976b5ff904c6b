package chroma

import (
	"context"
	"net/http"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/query"
)

// Pool fetches, for each of near, the documents and the passages that the indexes
// have nearest, reads all of those documents, and computes their similarities. Where
// the k-th best found may be worse than what is in neither list, more is fetched.
// What the indexes themselves overlook stays overlooked, but where they return fewer
// than k documents, all are compared. Where few pass the filter, or much of the
// collection is wanted, all are compared at once.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewSearch(s.dim, near, k, filter, vectors)
	return s.calls.Columns(ctx, "searching", err, func(ctx context.Context) (*engine.Columns, error) {
		f := s.newSearch(q)
		err := f.run(ctx)
		return f.Columns(), err
	})
}

// Compare reads documents and computes their similarities.
func (s *Store) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewComparison(s.dim, vectors)
	return s.calls.Columns(ctx, "comparing documents", err, func(ctx context.Context) (*engine.Columns, error) {
		f := s.newSearch(q)
		err := f.compare(ctx, namesOf(refs))
		return f.InOrder(refs), err
	})
}

// search is one call of Pool or Compare.
type search struct {
	*Store
	*pooling.Findings
	where *condition      // as much of the filter as Chroma can tell
	seen  map[string]bool // the names of what was read, also where it does not pass
}

func (s *Store) newSearch(q *pooling.Search) *search {
	return &search{s, q.Findings(), where(q.Filter, false), map[string]bool{}}
}

// run goes by the indexes as far as they lead, and otherwise compares everything.
func (f *search) run(ctx context.Context) error {
	size, err := f.calls.Size.Get(ctx, f.count)
	if err != nil {
		return err
	}
	if !f.calls.Options.Fill && 4*f.K < size.Documents {
		if f.Filter != nil {
			// To read a document costs the same whichever way it was found, and the
			// index of Chroma is slow to find those that are few.
			few := max(4*f.K, f.few)
			names, err := f.passing(ctx, f.where, few+1)
			if err != nil {
				return err
			}
			if len(names) <= few {
				f.Exact = true
				return f.compare(ctx, names)
			}
		}
		state, err := f.reach.Search(f.K, 0, func(limit int) (pooling.State, error) {
			f.Slack = 1e-6 // of the distances that the lists have
			err := f.nearest(ctx, limit)
			return f.State(max(1, size.Documents)), err
		})
		if err != nil || state == pooling.Complete {
			return err
		}
	}
	names, err := f.passing(ctx, f.where, 0)
	if err != nil {
		return err
	}
	f.Exact = true
	return f.compare(ctx, names)
}

// passing are the names of documents that pass a condition, up to a limit unless it
// is 0.
func (s *Store) passing(ctx context.Context, where *condition, limit int) ([]string, error) {
	request := map[string]any{"include": []string{}}
	if where != nil {
		request["where"] = where.json
	}
	if limit > 0 {
		request["limit"] = limit
	}
	answer, err := s.ask(ctx, http.MethodPost, s.documents+"/get", request)
	if err != nil {
		return nil, err
	}
	records, err := decodeRecords(answer, onlyNames, s.dim)
	names := make([]string, len(records))
	for i, r := range records {
		names[i] = r.name
	}
	return names, err
}

// nearest compares what the indexes have nearest to each of Near.
func (f *search) nearest(ctx context.Context, limit int) error {
	points := make([][]float32, len(f.Near))
	for j, v := range f.Near {
		points[j] = f.Vectors[v]
	}
	request := map[string]any{"query_embeddings": points, "n_results": limit, "include": []string{"distances"}}
	if f.where != nil {
		request["where"] = f.where.json
	}
	var lists [2][]list
	err := workers.Each(ctx, 2, 2, func(ctx context.Context, i int) error {
		answer, err := f.ask(ctx, http.MethodPost, [...]string{f.documents, f.passages}[i]+"/query", request)
		if err == nil {
			lists[i], err = decodeLists(answer, len(points))
		}
		return err
	})
	if err != nil {
		return err
	}
	var names []string
	for j := range f.Near {
		for i := range lists {
			l := lists[i][j]
			names = append(names, l.names...)
			f.Ends[j][i] = pooling.End{Last: l.last, All: len(l.names) < limit}
		}
	}
	return f.compare(ctx, names)
}

// compare reads documents and computes the similarities of those that pass. One may
// have been replaced since Chroma passed it, and Chroma cannot tell exactly.
func (f *search) compare(ctx context.Context, names []string) error {
	fresh := slices.DeleteFunc(names, func(name string) bool { return f.seen[name] })
	found, err := f.read(ctx, fresh, withVectors)
	if err != nil {
		return err
	}
	for _, name := range fresh {
		f.seen[name] = true
	}
	for name, r := range found {
		passes, err := pooling.Passes(f.Filter, []byte(r.Metadata))
		if err != nil {
			return err
		}
		if passes {
			f.Add(engine.Ref{Key: name}, f.Similarities(r.Rows))
		}
	}
	return nil
}
