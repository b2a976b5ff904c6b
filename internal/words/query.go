package words

import (
	"cmp"
	"math"
	"slices"
)

// maxWords is the largest number of distinct terms in a query. Beyond it, the most common
// terms are dropped.
const maxWords = 128

// Query holds the terms of a formula's atoms. It is immutable and safe for concurrent use.
type Query struct {
	atoms []atom
	words []word
	// rows maps each piece to the index of a list of hits. Most pieces map to 0, no hits, and
	// a reader skips them at memory speed.
	rows *[1 << 16]uint16
	hits [][]hit
}

// hit relates a piece to a term of the query.
type hit struct {
	word       int
	similarity byte // 255 is an exact match
	// form is the form in which the piece must occur, at index at, if the term has several
	// pieces. Nil means that the piece alone is a match.
	form form
	at   int
}

// atom holds the terms and parameters of one atom.
type atom struct {
	words   []int     // indices into Query.words
	weights []float32 // weights of words; they sum to 1
	// excluded atoms are scored by aboutness, wanted ones by their matches.
	excluded bool
	exponent float64 // exponent of the score, above 1 for several words
	factor   float32 // factor of the matches, below 1 for long atoms
	wanted   float32 // factor of the score, below 1 for long documents
}

// word is a term of a query.
type word struct {
	text   string // stem
	asked  string // spelling at its first occurrence in the query
	denied bool   // the atom denies the word, so a document must deny it too
	// excluded words have their mentions counted.
	excluded bool
	weight   float64
	marks    []uint16 // rarest piece of each form
}

// form is an inflected form of a word, as pieces.
type form []uint16

const none = -1

// NewQuery returns a query for the terms of atoms, weighted by their rarity in a collection.
// excluded lists the indices of the atoms that the formula excludes. Stop words count only in
// atoms that have no other terms. An atom without terms matches nothing.
func NewQuery(atoms []string, s *Statistics, excluded ...int) *Query {
	v := shared()
	q := &Query{atoms: make([]atom, len(atoms))}
	type key struct {
		stem   string
		denied bool
	}
	known := map[key]int{}
	for i, text := range atoms {
		tokens := v.tokenize(text)
		q.atoms[i].excluded = slices.Contains(excluded, i)
		content := slices.ContainsFunc(tokens, func(t token) bool { return !t.sign && !stopWords[t.word] })
		for j, denied := range deny(tokens) {
			t := &tokens[j]
			if t.sign || uint16(t.ids[0]) == v.unknown || content && stopWords[t.word] {
				continue
			}
			k := key{Stem(t.word), denied}
			at, ok := known[k]
			if !ok {
				at = len(q.words)
				known[k] = at
				q.words = append(q.words, word{text: k.stem, asked: t.word, denied: denied, weight: s.weight(s.documentsWith(v.forms(k.stem)))})
			}
			q.words[at].excluded = q.words[at].excluded || q.atoms[i].excluded
			if !slices.Contains(q.atoms[i].words, at) {
				q.atoms[i].words = append(q.atoms[i].words, at)
			}
		}
	}
	q.limit()
	q.place(v, s)
	for i := range q.atoms {
		q.atoms[i].weigh(q.words)
		q.atoms[i].wanted = s.wantedFactor()
	}
	return q
}

// forms returns the inflected forms of a stem, as pieces.
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

// limit keeps the rarest terms.
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

// mark replaces the index of a list for marker pieces, which a reader must see too. Indices
// stay below it: each term has some hundred lists.
const mark = 1 << 15

// stride is the number of pieces checked at once, since most have no hits.
const stride = 8

// together returns the bitwise OR of the rows of some pieces.
func (q *Query) together(p *[stride]uint16) uint16 {
	r := q.rows
	return r[p[0]] | r[p[1]] | r[p[2]] | r[p[3]] | r[p[4]] | r[p[5]] | r[p[6]] | r[p[7]]
}

// matches reports whether any piece of a document has hits.
func (q *Query) matches(pieces []uint16) bool {
	all := uint16(0)
	for len(pieces) >= stride {
		all |= q.together((*[stride]uint16)(pieces))
		pieces = pieces[stride:]
	}
	for _, p := range pieces {
		all |= q.rows[p]
	}
	return all&^mark != 0
}

// place builds the lists of hits.
func (q *Query) place(v *vocabulary, s *Statistics) {
	q.rows, q.hits = new([1 << 16]uint16), make([][]hit, 1)
	for p := range stating + 1 {
		q.rows[p] = mark
	}
	add := func(piece uint16, h hit) {
		if q.rows[piece] == 0 {
			q.rows[piece] = uint16(len(q.hits))
			q.hits = append(q.hits, nil)
		}
		row := q.rows[piece]
		for i := range q.hits[row] { // a neighbour of several forms counts once
			if old := &q.hits[row][i]; old.word == h.word && old.form == nil && h.form == nil {
				old.similarity = max(old.similarity, h.similarity)
				return
			}
		}
		q.hits[row] = append(q.hits[row], h)
	}
	for i := range q.words {
		for _, pieces := range v.forms(q.words[i].text) {
			if len(pieces) > 1 {
				// A lookup of the rarest piece has the fewest false hits.
				at := 0
				for j, p := range pieces {
					if s.having[p] < s.having[pieces[at]] {
						at = j
					}
				}
				add(pieces[at], hit{word: i, similarity: 255, form: pieces, at: at})
				q.words[i].marks = append(q.words[i].marks, pieces[at])
				continue
			}
			q.words[i].marks = append(q.words[i].marks, pieces[0])
			near := func(p uint16, similarity byte) {
				add(p, hit{word: i, similarity: similarity})
				add(p|fragment, hit{word: i, similarity: begun(similarity)})
			}
			v.near[pieces[0]].each(near)
			near(pieces[0], 255)
		}
	}
}

// begun returns the similarity of a longer word that merely starts with the piece: leashed for
// leash.
func begun(similarity byte) byte { return byte(int(similarity) * 4 / 5) }

// weigh normalizes the weights of the atom's terms and sets its scale.
func (a *atom) weigh(words []word) {
	sum := 0.0
	for _, w := range a.words {
		sum += words[w].weight
	}
	for _, w := range a.words {
		a.weights = append(a.weights, float32(words[w].weight/sum))
	}
	n := max(1, len(a.words))
	a.exponent = 1 + strictness*math.Log2(float64(n))
	a.factor = min(1, float32(longAtom)/float32(n))
}

// scale reduces the score of partial matches of atoms with several words, and altogether that
// of long atoms and in long documents: a question is better matched by meaning than by terms.
func (a *atom) scale(x float32) float32 {
	if x *= a.factor; x > 0 && a.exponent > 1 {
		x = float32(math.Pow(float64(x), a.exponent))
	}
	return x * a.wanted
}

// WantedFactor returns the factor of the scores of wanted atoms for the length of the
// collection's documents, at most 1.
func (q *Query) WantedFactor() float64 {
	if len(q.atoms) == 0 {
		return 1
	}
	return float64(q.atoms[0].wanted)
}

// Atoms returns the number of atoms.
func (q *Query) Atoms() int { return len(q.atoms) }
