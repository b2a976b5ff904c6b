package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

// matrix is a corpus in memory, as a store: every similarity is exact, and
// passages are compared in any of the ways there are.
type matrix struct {
	how   Passages
	dim   int
	rows  []float32 // of all documents, one after the other
	first []int     // the first row of each document, and the end of the last
	whole bool      // the first row of a document is the whole of it
}

var (
	_ engine.Store   = (*matrix)(nil)
	_ engine.Scanner = (*matrix)(nil)
)

// newMatrix arranges the vectors of a corpus.
func newMatrix(c *Corpus, how Passages) (*matrix, error) {
	m := &matrix{how: how, dim: c.dim, first: []int{0}, whole: how == Whole || how == WholeMax}
	for i := range c.IDs {
		parts := c.parts(i)
		if how == WholeMax {
			parts = c.partsWithTitle(i)
		}
		// A document of one passage is that passage, as in a collection.
		if m.whole || len(parts) == 0 {
			m.rows = append(m.rows, c.whole[i]...)
		}
		if how == Max || how == MeanMax || how == WholeMax && len(parts) > 1 {
			for _, p := range parts {
				m.rows = append(m.rows, p...)
			}
		}
		m.first = append(m.first, len(m.rows)/m.dim)
	}
	if len(m.first) == 1 {
		return nil, errors.New("the corpus is empty")
	}
	return m, nil
}

// columns are the similarities of all documents to each of the vectors.
func (m *matrix) columns(vectors [][]float32) ([][]float32, error) {
	n := m.first[len(m.first)-1]
	out := make([][]float32, len(vectors))
	const group = 8 // that a kernel takes at once
	for from := 0; from < len(vectors); from += group {
		some := vectors[from:min(from+group, len(vectors))]
		packed, err := vec.Pack(some...)
		if err != nil {
			return nil, err
		}
		dots := make([][]float32, len(some))
		for j := range dots {
			dots[j] = make([]float32, n)
		}
		packed.Dots(dots, m.rows)
		for j := range dots {
			out[from+j] = m.aggregate(dots[j])
		}
	}
	return out, nil
}

// aggregate makes one similarity of the cosines of each document.
func (m *matrix) aggregate(dots []float32) []float32 {
	docs := len(m.first) - 1
	if len(dots) == docs {
		return dots
	}
	out := make([]float32, docs)
	for i := range out {
		own := dots[m.first[i]:m.first[i+1]]
		parts := own
		if m.how == WholeMax && len(own) > 1 {
			parts = own[1:]
		}
		best, sum := parts[0], float32(0)
		for _, d := range parts {
			best = max(best, d)
			sum += d
		}
		switch {
		case len(own) == 1:
			out[i] = own[0]
		case m.how == Max:
			out[i] = best
		case m.how == MeanMax:
			out[i] = (sum/float32(len(parts)) + best) / 2
		default:
			out[i] = (own[0] + best) / 2
		}
	}
	return out
}

// Size is that of the corpus.
func (m *matrix) Size(context.Context) (engine.Size, error) {
	return engine.Size{Documents: len(m.first) - 1, Vectors: m.first[len(m.first)-1], Dimension: m.dim}, nil
}

// Scan compares all documents.
func (m *matrix) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	if filter != nil {
		return nil, fmt.Errorf("the predicate %s cannot be judged in an experiment; leave it out", filter)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := m.columns(vectors)
	if err != nil {
		return nil, err
	}
	out := &engine.Columns{Similarities: columns, Refs: make([]engine.Ref, len(m.first)-1)}
	for i := range out.Refs {
		out.Refs[i] = engine.Ref(i)
	}
	return out, nil
}

// Pool misses nothing.
func (m *matrix) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	// What the pool is near to is mostly among the vectors.
	asked := append([][]float32{}, vectors...)
	at := make([]int, len(near))
	for i, v := range near {
		at[i] = slices.IndexFunc(asked, func(o []float32) bool { return &o[0] == &v[0] })
		if at[i] < 0 {
			at[i] = len(asked)
			asked = append(asked, v)
		}
	}
	all, err := m.Scan(ctx, asked, filter)
	if err != nil {
		return nil, err
	}
	out := &engine.Columns{Similarities: make([][]float32, len(vectors))}
	taken := make([]bool, len(all.Refs))
	for _, a := range at {
		column := all.Similarities[a]
		top := vec.NewTopK(min(k, len(column)))
		top.Push(0, column)
		lines, _ := top.Ranked()
		for _, line := range lines {
			if !taken[line] {
				taken[line] = true
				out.Refs = append(out.Refs, engine.Ref(line))
			}
		}
	}
	for j := range vectors {
		out.Similarities[j] = make([]float32, len(out.Refs))
		for i, ref := range out.Refs {
			out.Similarities[j][i] = all.Similarities[j][ref]
		}
	}
	return out, nil
}

// Documents is not needed: an experiment ranks and does not show.
func (m *matrix) Documents(context.Context, []engine.Ref) ([]engine.Document, error) {
	return nil, errors.New("a corpus in memory has no texts")
}

// Get finds nothing: a query of an experiment has no like: atoms.
func (m *matrix) Get(context.Context, string) (engine.Document, error) {
	return engine.Document{}, index.ErrNotFound
}
