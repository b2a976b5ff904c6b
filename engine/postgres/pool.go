package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// maxReach is how many times k documents and passages are fetched at most; after
// that, all documents are compared. What one odd query needs the next need not, so
// that less is remembered.
const maxReach, rememberedReach = 16, 4

// Pool fetches, for each of near, the documents and the passages that the indexes
// have nearest, and has the server compute the similarities of all of those.
//
// A document that is in neither list is not more similar than the last of the
// first list or, where it has passages, than the mean of the last of both. Where
// the k-th best found is not at least that, more is fetched. What the indexes
// themselves overlook stays overlooked, but where they return fewer than k
// documents, all are compared.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	const doing = "searching"
	q, err := newSearch(s.dim, near, k, filter, vectors)
	if err != nil {
		return nil, s.explain(doing, err)
	}
	q.reach = int(s.reach.Load())
	// Where much of the collection is wanted, to read all of it is quicker.
	documents := int(s.documents.Load())
	q.exact = s.options.Exact || s.dim > maxIndexedHalf || 4*k >= documents
	// An index has to give reach·k·documents/passing before there are enough, and
	// one document from there costs some ten that are compared one by one.
	q.few = int(math.Sqrt(10 * float64(q.reach*k) * float64(documents)))
	var columns *engine.Columns
	err = s.attempt(ctx, doing, s.options.Timeout, again, func(ctx context.Context) error {
		for {
			found, err := s.find(ctx, q)
			if err != nil {
				return err
			}
			if s.complete(found) {
				columns = found.columns()
				return nil
			}
		}
	})
	return columns, err
}

// findings are what one statement has found.
type findings struct {
	*search
	refs         []engine.Ref
	similarities [][]float32  // by the number of the vector, then by document
	last         [][2]float64 // for each of near, of its lists
	best         [][]int      // for each of near, the lines of its k best
	all          bool         // all documents that pass were compared
}

func (s *Store) find(ctx context.Context, q *search) (*findings, error) {
	text, args, err := q.sql()
	if err != nil {
		return nil, err
	}
	rows, err := s.query(ctx, text, args, q.settings())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	f := &findings{search: q, similarities: make([][]float32, len(q.vectors)), last: make([][2]float64, len(q.near))}
	var ref int64
	values := make([]float64, len(q.vectors))
	targets := []any{&ref}
	for i := range values {
		targets = append(targets, &values[i])
	}
	targets = append(targets, &f.all)
	for j := range f.last {
		targets = append(targets, &f.last[j][0], &f.last[j][1])
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		f.refs = append(f.refs, engine.Ref(ref))
		for i, x := range values {
			if math.IsNaN(x) || math.Abs(x) > 1.001 {
				return nil, fmt.Errorf("the server has computed a similarity of %g, the stored vectors are not of length 1", x)
			}
			f.similarities[i] = append(f.similarities[i], float32(x))
		}
	}
	f.rank()
	return f, rows.Err()
}

// rank finds the k best for each of near.
func (f *findings) rank() {
	for _, v := range f.near {
		lines := make([]int, len(f.refs))
		for i := range lines {
			lines[i] = i
		}
		column := f.similarities[v]
		slices.SortFunc(lines, func(a, b int) int {
			return cmp.Or(cmp.Compare(column[b], column[a]), cmp.Compare(f.refs[a], f.refs[b]))
		})
		f.best = append(f.best, lines[:min(f.k, len(lines))])
	}
}

// complete reports whether nothing is missing that the indexes could give.
// Otherwise the search reaches farther the next time, and where the passages are
// the reason, so does the next search.
func (s *Store) complete(f *findings) bool {
	if f.exact || f.all {
		return true
	}
	slack := 1e-6
	if f.dim > maxIndexed {
		slack = 1e-3 // the lists are in half precision
	}
	for j, v := range f.near {
		lines := f.best[j]
		if int64(len(lines)) < min(int64(f.k), max(1, s.documents.Load())) {
			f.exact = true
			return false
		}
		if kth := float64(f.similarities[v][lines[len(lines)-1]]); kth+slack < f.bound(j) {
			if f.exact = f.reach >= maxReach; !f.exact {
				f.reach *= 2
				s.reach.Store(int64(min(f.reach, rememberedReach)))
			}
			return false
		}
	}
	return true
}

// bound is what no document that is in neither list of a vector exceeds.
func (f *findings) bound(j int) float64 {
	documents, passages := f.last[j][0], f.last[j][1]
	if documents == -2 || passages == -2 {
		return documents
	}
	return max(documents, (documents+passages)/2)
}

// columns are those of the k best for each of near.
func (f *findings) columns() *engine.Columns {
	c := &engine.Columns{Similarities: make([][]float32, len(f.wanted))}
	seen := make([]bool, len(f.refs))
	for _, lines := range f.best {
		for _, line := range lines {
			if seen[line] {
				continue
			}
			seen[line] = true
			c.Refs = append(c.Refs, f.refs[line])
			for i, v := range f.wanted {
				c.Similarities[i] = append(c.Similarities[i], f.similarities[v][line])
			}
		}
	}
	return c
}
