package words

import (
	"cmp"
	"math"
	"slices"
)

// Needle is a term to look up in a store's index of pieces.
type Needle struct {
	Written []string // its inflected forms
	// Forms holds the same forms as pieces. A document with a form contains all of its pieces;
	// fragments are marked as in Pieces.
	Forms  [][]uint16
	Marks  []uint16 // the rarest piece of each form
	Weight float64  // inverse document frequency

	word int
}

// Documents estimates how many of the given number of documents contain the term.
func (n Needle) Documents(of int) float64 { return float64(of) * math.Exp(-n.Weight) }

// lightest is the least weight of a term, relative to the heaviest of its atom, that is worth
// a lookup. Documents with only lighter terms never rank among the best, and those terms occur
// in most documents.
const lightest = 1.0 / 3

// Needles returns the terms to look up, heaviest first.
func (q *Query) Needles() []Needle {
	wanted := make([]bool, len(q.words))
	for _, a := range q.atoms {
		heaviest := 0.0
		for _, w := range a.words {
			heaviest = max(heaviest, q.words[w].weight)
		}
		for _, w := range a.words {
			wanted[w] = wanted[w] || q.words[w].weight >= lightest*heaviest
		}
	}
	var out []Needle
	for i := range q.words {
		stem := q.words[i].text
		if pieces := shared().forms(stem); wanted[i] && len(pieces) > 0 {
			out = append(out, Needle{forms(stem), pieces, q.words[i].marks, q.words[i].weight, i})
		}
	}
	slices.SortStableFunc(out, func(a, b Needle) int { return cmp.Compare(b.Weight, a.Weight) })
	return out
}

// UnseenBounds returns an upper bound on each atom's score for documents without an exact match of
// the needles looked up. Such documents may match neighbours of those needles, and any other
// term.
func (q *Query) UnseenBounds(looked []Needle) []float32 {
	most := make([]byte, len(q.words))
	for i := range most {
		most[i] = 255
	}
	for _, n := range looked {
		most[n.word] = 0
	}
	for _, hits := range q.hits {
		for _, h := range hits {
			if h.similarity < 255 {
				most[h.word] = max(most[h.word], h.similarity)
			}
		}
	}
	found := make([]float32, len(q.words))
	for w, x := range most {
		found[w] = similarities[x]
	}
	out := make([]float32, len(q.atoms))
	for i := range q.atoms {
		if out[i] = q.atoms[i].sum(found); !q.atoms[i].excluded {
			out[i] = q.atoms[i].scale(out[i])
		}
	}
	return out
}
