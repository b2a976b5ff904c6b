package words

import (
	"cmp"
	"slices"

	"github.com/nsfl-go/nsfl/vec"
)

// maxWords is how many distinct words a query reads; of more, the most common ones are
// left out. It bounds the tables, of a megabyte for every sixteen.
const maxWords = 128

// Query is the words of some atoms. It is immutable and safe for concurrent use.
type Query struct {
	atoms []atom
	words []word
	// table has, for each block of lanes, a row by piece: how similar the piece is to the
	// word of each lane, 255 being the word itself.
	tables [][][laneCount]byte
}

// atom is what a query reads for one atom.
type atom struct {
	words   []int     // of the query's
	weights []float32 // of those, of sum 1
}

// word is a word that is looked for.
type word struct {
	text   string // its stem
	denied bool   // the atom says that it is absent, and so must a document
	weight float64
	// soft is the lane of a word of one piece; none: there is no such piece.
	soft int
	// long are the forms of the word that have several pieces. Each has a lane that says
	// where its rarest piece stands, so that it is worth looking.
	long []form
}

type form struct {
	pieces []uint16
	lane   int
}

const (
	laneCount = vec.LaneCount
	none      = -1
)

// NewQuery reads the words of atoms, weighted by how rare they are in a collection. An
// atom may be without words; no document has any of it.
func NewQuery(atoms []string, s *Statistics) *Query {
	v := shared()
	q := &Query{atoms: make([]atom, len(atoms))}
	type key struct {
		stem   string
		denied bool
	}
	known := map[key]int{}
	for i, text := range atoms {
		tokens := v.tokenize(text)
		for j, denied := range deny(tokens) {
			t := &tokens[j]
			if t.sign || uint16(t.ids[0]) == v.unknown {
				continue
			}
			k := key{Stem(t.word), denied}
			at, ok := known[k]
			if !ok {
				at = len(q.words)
				known[k] = at
				q.words = append(q.words, word{text: k.stem, denied: denied, weight: s.weight(s.documentsWith(v.forms(k.stem)))})
			}
			if !slices.Contains(q.atoms[i].words, at) {
				q.atoms[i].words = append(q.atoms[i].words, at)
			}
		}
	}
	q.limit()
	q.place(v, s)
	for i := range q.atoms {
		q.atoms[i].weigh(q.words)
	}
	return q
}

// forms are the ways to write a word that has a stem, as pieces.
func (v *vocabulary) forms(stem string) [][]uint16 {
	var out [][]uint16
	for _, f := range forms(stem) {
		tokens := v.tokenize(f)
		if len(tokens) != 1 || uint16(tokens[0].ids[0]) == v.unknown {
			continue
		}
		var pieces []uint16
		for _, id := range tokens[0].ids {
			pieces = append(pieces, uint16(id)|tokens[0].mark())
		}
		out = append(out, pieces)
	}
	return out
}

// limit leaves the rarest words.
func (q *Query) limit() {
	if len(q.words) <= maxWords {
		return
	}
	order := make([]int, len(q.words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(q.words[b].weight, q.words[a].weight) })
	place := make([]int, len(q.words))
	kept := make([]word, 0, maxWords)
	for i, w := range order {
		place[w] = none
		if i < maxWords {
			place[w] = len(kept)
			kept = append(kept, q.words[w])
		}
	}
	q.words = kept
	for i := range q.atoms {
		a := &q.atoms[i]
		left := a.words[:0]
		for _, w := range a.words {
			if place[w] != none {
				left = append(left, place[w])
			}
		}
		a.words = left
	}
}

// place gives the words lanes and fills the tables.
func (q *Query) place(v *vocabulary, s *Statistics) {
	lanes := 0
	next := func() (lane int) {
		if lanes%laneCount == 0 {
			q.tables = append(q.tables, make([][laneCount]byte, 1<<16))
		}
		lanes++
		return lanes - 1
	}
	set := func(lane int, piece uint16, similarity byte) {
		cell := &q.tables[lane/laneCount][piece][lane%laneCount]
		*cell = max(*cell, similarity)
	}
	for i := range q.words {
		w := &q.words[i]
		w.soft = none
		for _, pieces := range v.forms(w.text) {
			if len(pieces) == 1 {
				if w.soft == none {
					w.soft = next()
				}
				v.near[pieces[0]].each(func(p uint16, similarity byte) {
					set(w.soft, p, similarity)
					set(w.soft, p|fragment, begun(similarity))
				})
				set(w.soft, pieces[0], 255)
				set(w.soft, pieces[0]|fragment, begun(255))
				continue
			}
			rarest := slices.MinFunc(pieces, func(a, b uint16) int { return cmp.Compare(s.having[a], s.having[b]) })
			f := form{pieces, next()}
			set(f.lane, rarest, 255)
			w.long = append(w.long, f)
		}
	}
}

// begun is the similarity of a longer word that only begins with a piece: leashed to leash.
func begun(similarity byte) byte { return byte(int(similarity) * 4 / 5) }

// weigh makes weights of sum 1 of those of the atom's words.
func (a *atom) weigh(words []word) {
	sum := 0.0
	for _, w := range a.words {
		sum += words[w].weight
	}
	for _, w := range a.words {
		a.weights = append(a.weights, float32(words[w].weight/sum))
	}
}

// Atoms is how many there are.
func (q *Query) Atoms() int { return len(q.atoms) }
