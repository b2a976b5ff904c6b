package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// matrix is a store that holds a corpus in memory. All similarities are exact, and passages
// can be compared in any way.
type matrix struct {
	how Passages
	dim int

	whole  *block
	parts  *block // passages; nil if the way does not use them
	titles *block // titles used as passages; nil if there are none

	pieces     [][]uint16 // words of each document
	statistics *words.Statistics
}

var (
	_ engine.Store   = (*matrix)(nil)
	_ engine.Scanner = (*matrix)(nil)
)

// matrix arranges the vectors for one way of comparing passages.
func (c *Corpus) matrix(how Passages) (*matrix, error) {
	if len(c.IDs) == 0 {
		return nil, errors.New("the corpus is empty")
	}
	m := &matrix{how: how, dim: c.dim, whole: c.whole, pieces: c.pieces, statistics: c.counted()}
	if how == Whole {
		return m, nil
	}
	if how.hasTitles() {
		if m.titles = c.titles; m.titles == nil {
			return nil, fmt.Errorf("comparing passages by %s: there are no title vectors; use an encoder, or a way without titles", how)
		}
	}
	if m.parts = c.passages; m.parts == nil {
		return nil, fmt.Errorf("comparing passages by %s: there are no passage vectors; use an encoder, or whole", how)
	}
	if how == Stored {
		if err := m.store(c.long); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// store arranges the vectors as a collection would. It replaces the vectors of long
// documents by the mean of their parts, and the vector of a single passage that has a title
// by the document's. If vectors came without texts, no document counts as long.
func (m *matrix) store(long []bool) error {
	wholes, parts := newBlock(m.dim), newBlock(m.dim)
	for i := range m.whole.len() {
		own, isLong := m.rows(i), long != nil && long[i]
		v := slices.Clone(m.whole.row(i))
		if isLong && len(own) > 1 {
			clear(v)
			for _, row := range own {
				vec.AddScaled(v, row, 1)
			}
			if err := vec.Normalize(v); err != nil {
				return fmt.Errorf("the mean of document %d's passages: %w", i, err)
			}
		}
		wholes.add(v)
		passages := own[:m.parts.first[i+1]-m.parts.first[i]]
		if !isLong && len(passages) == 1 && len(own) == 2 {
			passages = [][]float32{v}
		}
		parts.add(passages...)
	}
	m.whole, m.parts = wholes, parts
	return nil
}

// rows returns the parts of a document: its passages and, if used, its title.
func (m *matrix) rows(document int) [][]float32 {
	out := m.parts.vectors(document)
	if m.titles != nil && len(out) > 0 {
		out = append(out, m.titles.vectors(document)...)
	}
	return out
}

// compare returns the similarities of all documents to each of the vectors.
func (m *matrix) compare(vectors [][]float32) ([][]float32, error) {
	var out [][]float32
	for some := range slices.Chunk(vectors, vec.MaxQueries) {
		packed, err := vec.Pack(some...)
		if err != nil {
			return nil, err
		}
		columns := m.whole.cosines(packed)
		if m.parts != nil {
			parts, titles := m.parts.cosines(packed), make([][]float32, len(some))
			if m.titles != nil {
				titles = m.titles.cosines(packed)
			}
			for i, wholes := range columns {
				m.aggregate(wholes, parts[i], titles[i])
			}
		}
		out = append(out, columns...)
	}
	return out, nil
}

// aggregate combines the cosines of each document into one similarity, stored in wholes.
func (m *matrix) aggregate(wholes, parts, titles []float32) {
	for i, whole := range wholes {
		n, sum, best := 0, float32(0), float32(-1)
		add := func(cosines []float32) {
			for _, c := range cosines {
				n, sum, best = n+1, sum+c, max(best, c)
			}
		}
		if add(m.parts.of(parts, i)); n > 0 && m.titles != nil {
			add(m.titles.of(titles, i))
		}
		switch {
		case n == 0, n == 1 && m.how != MeanMax: // a document of one passage is its whole
		case m.how == MeanMax:
			wholes[i] = (sum/float32(n) + best) / 2
		default:
			wholes[i] = (whole + best) / 2
		}
	}
}

// Size returns the size of the corpus.
func (m *matrix) Size(context.Context) (engine.Size, error) {
	s := engine.Size{Documents: m.whole.len(), Vectors: m.whole.len(), Dimension: m.dim}
	for _, b := range []*block{m.parts, m.titles} {
		if b != nil {
			s.Vectors += len(b.rows) / m.dim
		}
	}
	return s, nil
}

// Scan compares all documents.
func (m *matrix) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	if filter != nil {
		return nil, fmt.Errorf("experiments do not support the predicate %s; leave it out", filter)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := m.compare(vectors)
	if err != nil {
		return nil, err
	}
	out := &engine.Columns{Similarities: columns, Refs: make([]engine.Ref, m.whole.len())}
	for i := range out.Refs {
		out.Refs[i] = ref(i)
	}
	return out, nil
}

// Pool is exact: it misses no document.
func (m *matrix) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	all, err := m.Scan(ctx, slices.Concat(near, vectors), filter)
	if err != nil {
		return nil, err
	}
	var refs []engine.Ref
	var beyond []float32
	taken := make([]bool, len(all.Refs))
	for _, column := range all.Similarities[:len(near)] {
		top := vec.NewTopK(min(k, len(column)))
		top.Push(0, column)
		lines, values := top.Ranked()
		last := float32(-2)
		if len(lines) < len(column) {
			last = values[len(values)-1]
		}
		beyond = append(beyond, last)
		for _, line := range lines {
			if !taken[line] {
				taken[line] = true
				refs = append(refs, ref(int(line)))
			}
		}
	}
	out := take(refs, all.Similarities[len(near):])
	out.UnseenBounds = beyond
	return out, nil
}

// take selects some documents from the columns of all.
func take(refs []engine.Ref, all [][]float32) *engine.Columns {
	out := &engine.Columns{Refs: refs, Similarities: make([][]float32, len(all))}
	for j, column := range all {
		for _, ref := range refs {
			out.Similarities[j] = append(out.Similarities[j], column[ref.Number])
		}
	}
	return out
}

// ref returns the Ref of a document.
func ref(document int) engine.Ref { return engine.Ref{Number: uint64(document)} }

// Documents returns only the documents' own vectors: an experiment ranks and does not
// display.
func (m *matrix) Documents(_ context.Context, refs []engine.Ref, _ engine.Parts) ([]engine.Document, error) {
	out := make([]engine.Document, len(refs))
	for i, r := range refs {
		if r.Number >= uint64(m.whole.len()) {
			return nil, fmt.Errorf("no document %d in the corpus", r.Number)
		}
		out[i] = engine.Document{ID: strconv.FormatUint(r.Number, 10), Vector: slices.Clone(m.whole.row(int(r.Number)))}
	}
	return out, nil
}

// Find returns ErrNotFound: queries of an experiment name no documents.
func (m *matrix) Find(context.Context, string) (engine.Ref, error) {
	return engine.Ref{}, engine.ErrNotFound
}

// Get returns ErrNotFound, like Find.
func (m *matrix) Get(context.Context, string, engine.Parts) (engine.Document, error) {
	return engine.Document{}, engine.ErrNotFound
}

// Sample returns evenly spaced documents.
func (m *matrix) Sample(_ context.Context, n int) ([]engine.Ref, error) {
	n = min(n, m.whole.len())
	out := make([]engine.Ref, n)
	for i := range out {
		out[i] = ref(i * m.whole.len() / n)
	}
	return out, nil
}

// Compare compares all documents and returns the selected ones.
func (m *matrix) Compare(_ context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	all, err := m.compare(vectors)
	return take(refs, all), err
}
