package chroma

import (
	"cmp"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// findings are what a search has found so far.
type findings struct {
	*search
	reach        int // how many times k were fetched
	seen         map[engine.Ref]bool
	refs         []engine.Ref
	similarities [][]float32  // by the number of the vector, then by document
	last         [][2]float64 // for each of near, the similarity of the last of its lists
	ended        [][2]bool    // for each of near, whether the index has no more than its lists
	best         [][]int      // for each of near, the lines of its k best
}

func newFindings(q *search) *findings {
	return &findings{
		search: q, seen: map[engine.Ref]bool{}, similarities: make([][]float32, len(q.vectors)),
		last: make([][2]float64, len(q.near)), ended: make([][2]bool, len(q.near)),
	}
}

// add adds a document if it passes the filter. It may have been replaced since
// Chroma passed it, and Chroma cannot tell exactly.
func (f *findings) add(r *record) error {
	if f.filter != nil {
		values, err := engine.Values([]byte(r.Metadata))
		if err != nil {
			return err
		}
		if !engine.Passes(f.filter, values) {
			return nil
		}
	}
	f.refs = append(f.refs, r.ref)
	for i, v := range f.vectors {
		f.similarities[i] = append(f.similarities[i], r.similarity(v))
	}
	return nil
}

// rank finds the k best for each of near.
func (f *findings) rank() {
	f.best = f.best[:0]
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

// How far a search has got.
type state int

const (
	complete   state = iota // nothing is missing that the indexes could give
	incomplete              // they may give more
	short                   // they give no more, and too little
)

func (f *findings) state(documents int64) state {
	const slack = 1e-6 // of the distances that the lists have
	for j, v := range f.near {
		lines := f.best[j]
		switch {
		case int64(len(lines)) < min(int64(f.k), max(1, documents)) && f.ended[j][0]:
			return short
		case len(lines) < f.k && !f.ended[j][0]:
			return incomplete
		case len(lines) > 0 && float64(f.similarities[v][lines[len(lines)-1]])+slack < f.bound(j):
			return incomplete
		}
	}
	return complete
}

// bound is what no document that is in neither list of a vector exceeds.
func (f *findings) bound(j int) float64 {
	documents, passages := f.last[j][0], f.last[j][1]
	switch {
	case f.ended[j][0]:
		return -2
	case f.ended[j][1]: // the others have no passages
		return documents
	}
	return max(documents, (documents+passages)/2)
}

// columns are those of the k best for each of near.
func (f *findings) columns() *engine.Columns {
	c := &engine.Columns{Similarities: make([][]float32, len(f.wanted))}
	taken := make([]bool, len(f.refs))
	for _, lines := range f.best {
		for _, line := range lines {
			if taken[line] {
				continue
			}
			taken[line] = true
			c.Refs = append(c.Refs, f.refs[line])
			for i, v := range f.wanted {
				c.Similarities[i] = append(c.Similarities[i], f.similarities[v][line])
			}
		}
	}
	return c
}
