package words

import (
	"cmp"
	"math"
	"slices"
)

// Needle is a word as a store looks for it that has an index of its documents' pieces.
type Needle struct {
	Written []string // the ways to write it
	// Forms are those as pieces. A document that has one has all of its pieces,
	// fragments being marked as in Pieces.
	Forms  [][]uint16
	Marks  []uint16 // for each of them the piece that is rarest
	Weight float64  // how much the word says about a document

	word int
}

// Documents is about how many of a number of documents have the word.
func (n Needle) Documents(of int) float64 { return float64(of) * math.Exp(-n.Weight) }

// lightest is how much a word has to weigh, beside the heaviest of its atom, to be looked
// for: what has only lighter ones is never among the best, and those are in most documents.
const lightest = 1.0 / 3

// Needles are the words by which documents are worth looking for, the heaviest first.
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

// Unheard is how much of each atom's words a document can have at most that has none of some
// words as they are written: neighbours of those, and all of the others.
func (q *Query) Unheard(looked []Needle) []float32 {
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
