package peers

import (
	"cmp"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// Ranking holds the scores of all documents; higher is better.
type Ranking []float64

// Words ranks by the words of all atoms, like a search engine given the whole query as a
// string: operators are ignored, and negated atoms count like the others.
func (l *Lexicon) Words(f *query.Formula) Ranking {
	text := ""
	for a := range query.Atoms(f.Root) {
		text += a.Text + " "
	}
	return l.BM25(text)
}

// Boolean ranks by a fuzzy formula over words: the score of an atom is the share of its words
// in a document; AND is the product, OR the maximum, NOT the complement to 1.
func (l *Lexicon) Boolean(f *query.Formula) Ranking { return l.boolean(f.Root) }

func (l *Lexicon) boolean(n query.Node) Ranking {
	switch n := n.(type) {
	case *query.Atom:
		return l.Shares(n.Text)
	case *query.Not:
		out := l.boolean(n.X)
		for d := range out {
			out[d] = 1 - out[d]
		}
		return out
	case *query.And:
		return l.fold(n.Parts, func(a, b float64) float64 { return a * b })
	case *query.Or:
		return l.fold(n.Parts, math.Max)
	case *query.AtLeast:
		return l.atLeast(n)
	}
	return make(Ranking, len(l.wholes.lengths))
}

// atLeast returns the product of the k largest.
func (l *Lexicon) atLeast(n *query.AtLeast) Ranking {
	out := make(Ranking, len(l.wholes.lengths))
	parts := make([]Ranking, len(n.Parts))
	for i, p := range n.Parts {
		parts[i] = l.boolean(p)
	}
	values := make([]float64, len(parts))
	for d := range out {
		for i := range parts {
			values[i] = parts[i][d]
		}
		slices.Sort(values)
		out[d] = 1
		for _, v := range values[len(values)-n.K:] {
			out[d] *= v
		}
	}
	return out
}

func (l *Lexicon) fold(parts []query.Node, join func(a, b float64) float64) Ranking {
	out := l.boolean(parts[0])
	for _, p := range parts[1:] {
		for d, x := range l.boolean(p) {
			out[d] = join(out[d], x)
		}
	}
	return out
}

// Reciprocal combines rankings by the sum of 1/(60 + rank), which engines call hybrid.
// Documents with a score of 0 are not in a ranking.
func Reciprocal(rankings ...Ranking) Ranking {
	const flatness = 60
	out := make(Ranking, len(rankings[0]))
	for _, r := range rankings {
		for rank, d := range r.Order() {
			if r[d] != 0 {
				out[d] += 1 / float64(flatness+rank+1)
			}
		}
	}
	return out
}

// Linear combines rankings by the mean of their scores, each scaled to between its minimum
// and maximum.
func Linear(rankings ...Ranking) Ranking {
	out := make(Ranking, len(rankings[0]))
	for _, r := range rankings {
		low, high := slices.Min(r), slices.Max(r)
		if high == low {
			continue
		}
		for d, x := range r {
			out[d] += (x - low) / (high - low) / float64(len(rankings))
		}
	}
	return out
}

// WithTies breaks ties by another ranking.
func (r Ranking) WithTies(by Ranking) Ranking {
	out := make(Ranking, len(r))
	order := make([]int, len(r))
	for d := range order {
		order[d] = d
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(r[a], r[b]), cmp.Compare(by[a], by[b]), cmp.Compare(b, a))
	})
	for rank, d := range order {
		out[d] = float64(rank)
	}
	return out
}

// Order returns the documents, best first; ties keep their order.
func (r Ranking) Order() []int {
	order := make([]int, len(r))
	for d := range order {
		order[d] = d
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(r[b], r[a]), cmp.Compare(a, b)) })
	return order
}
