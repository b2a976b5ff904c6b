package chroma

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// maxReach is how many times k documents and passages are fetched at most; after
// that, all documents are compared. What one odd query needs the next need not, so
// that less is remembered.
const maxReach, rememberedReach = 16, 4

// Pool fetches, for each of near, the documents and the passages that the indexes
// have nearest, reads all of those documents, and computes their similarities.
//
// A document that is in neither list is not more similar than the last of the first
// list or, where it has passages, than the mean of the last of both. Where the k-th
// best found is not at least that, more is fetched. What the indexes themselves
// overlook stays overlooked, but where they return fewer than k documents, all are
// compared. Where few pass the filter, or much of the collection is wanted, all are
// compared at once.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	const doing = "searching"
	q, err := newSearch(s.dim, near, k, filter, vectors)
	if err != nil {
		return nil, s.explain(doing, err)
	}
	var columns *engine.Columns
	err = s.run(ctx, doing, s.options.Timeout, func(ctx context.Context) error {
		f, err := s.pool(ctx, q)
		if err == nil {
			columns = f.columns()
		}
		return err
	})
	return columns, err
}

// search is one call of Pool.
type search struct {
	vectors [][]float32 // all distinct ones
	near    []int       // the numbers of those that candidates are near to
	wanted  []int       // the numbers of those that candidates are compared with
	k       int
	filter  query.Node
	where   *condition // as much of the filter as Chroma can tell
}

func newSearch(dim int, near [][]float32, k int, filter query.Node, vectors [][]float32) (*search, error) {
	if k < 1 {
		return nil, engine.BadInput("query", "the %d best documents", k)
	}
	q := &search{k: k, filter: filter}
	var err error
	if q.near, err = q.number(near, dim); err == nil {
		q.wanted, err = q.number(vectors, dim)
	}
	if err == nil && filter != nil {
		q.where, err = where(filter, false)
	}
	return q, err
}

// number adds vectors, at length 1, and returns the numbers they have.
func (q *search) number(vectors [][]float32, dim int) ([]int, error) {
	if len(vectors) == 0 {
		return nil, engine.BadInput("query", "there is no vector")
	}
	numbers := make([]int, len(vectors))
	for i, v := range vectors {
		u, err := engine.UnitOf(v, dim)
		if err != nil {
			return nil, engine.BadInput(fmt.Sprintf("query vector %d", i), "%s", "it "+err.Error())
		}
		at := slices.IndexFunc(q.vectors, func(v []float32) bool { return slices.Equal(u, v) })
		if at < 0 {
			at = len(q.vectors)
			q.vectors = append(q.vectors, u)
		}
		numbers[i] = at
	}
	return numbers, nil
}

func (s *Store) pool(ctx context.Context, q *search) (*findings, error) {
	f := newFindings(q)
	if s.options.Exact || int64(4*q.k) >= s.count.Load() {
		return f, s.compareAll(ctx, f)
	}
	if q.filter != nil {
		// To read a document costs the same whichever way it was found, and the
		// index of Chroma is slow to find those that are few.
		few := max(4*q.k, s.few)
		refs, err := s.passing(ctx, q.where, few+1)
		if err != nil {
			return nil, err
		}
		if len(refs) <= few {
			return f, s.compare(ctx, f, refs)
		}
	}
	for f.reach = int(s.reach.Load()); f.reach <= maxReach; f.reach *= 2 {
		if err := s.nearest(ctx, f); err != nil {
			return nil, err
		}
		switch f.state(s.count.Load()) {
		case complete:
			s.reach.Store(int64(min(f.reach, rememberedReach)))
			return f, nil
		case short:
			return f, s.compareAll(ctx, f)
		}
	}
	return f, s.compareAll(ctx, f)
}

// compareAll compares all documents that pass.
func (s *Store) compareAll(ctx context.Context, f *findings) error {
	refs, err := s.passing(ctx, f.where, 0)
	if err != nil {
		return err
	}
	if f.where == nil {
		s.count.Store(int64(len(refs)))
	}
	return s.compare(ctx, f, refs)
}

// passing are the documents that pass a condition, up to a limit unless it is 0.
func (s *Store) passing(ctx context.Context, where *condition, limit int) ([]engine.Ref, error) {
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
	refs := make([]engine.Ref, len(records))
	for i, r := range records {
		refs[i] = r.ref
	}
	return refs, err
}

// nearest compares what the indexes have nearest to each of near.
func (s *Store) nearest(ctx context.Context, f *findings) error {
	points := make([][]float32, len(f.near))
	for j, v := range f.near {
		points[j] = f.vectors[v]
	}
	request := map[string]any{"query_embeddings": points, "n_results": f.k * f.reach, "include": []string{"distances"}}
	if f.where != nil {
		request["where"] = f.where.json
	}
	var lists [2][]list
	err := together(ctx, 2, func(ctx context.Context, i int) error {
		answer, err := s.ask(ctx, http.MethodPost, [...]string{s.documents, s.passages}[i]+"/query", request)
		if err == nil {
			lists[i], err = decodeLists(answer, len(points))
		}
		return err
	})
	if err != nil {
		return err
	}
	var refs []engine.Ref
	for j := range f.near {
		documents, passages := lists[0][j], lists[1][j]
		refs = append(append(refs, documents.refs...), passages.refs...)
		f.last[j] = [2]float64{documents.last, passages.last}
		f.ended[j] = [2]bool{len(documents.refs) < f.k*f.reach, len(passages.refs) < f.k*f.reach}
	}
	return s.compare(ctx, f, refs)
}

// compare reads documents and computes the similarities of those that pass.
func (s *Store) compare(ctx context.Context, f *findings, refs []engine.Ref) error {
	fresh := slices.DeleteFunc(refs, func(r engine.Ref) bool { return f.seen[r] })
	found, err := s.read(ctx, fresh, withVectors)
	if err != nil {
		return err
	}
	for _, r := range fresh {
		if record := found[r]; record != nil && !f.seen[r] {
			if err := f.add(record); err != nil {
				return err
			}
		}
		f.seen[r] = true
	}
	f.rank()
	return nil
}
