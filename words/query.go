package words

import (
	"cmp"
	"math"
	"slices"
)

// maxWords is how many distinct words a query reads; of more, the most common ones are
// left out.
const maxWords = 128

// Query is the words of some atoms. It is immutable and safe for concurrent use.
type Query struct {
	atoms []atom
	words []word
	// rows has, for each piece, the number of a list of hits. Most pieces have none, 0, and
	// a reader passes them by at the speed of memory.
	rows *[1 << 16]uint16
	hits [][]hit
}

// hit is what a piece is to a word.
type hit struct {
	word       int
	similarity byte // 255: the word itself
	// form is what the piece has to stand in, as its piece number at, where the word has
	// several; nil: there is nothing more to ask.
	form form
	at   int
}

// atom is what a query reads for one atom.
type atom struct {
	words   []int     // of the query's
	weights []float32 // of those, of sum 1
	// excluded atoms are judged by what a document is about, wanted ones by what it has.
	excluded bool
	exponent float64 // of the score of an atom of several words
	factor   float32 // what the words of a long atom count
}

// word is a word that is looked for.
type word struct {
	text   string // its stem
	asked  string // as it is written where it is first asked for
	denied bool   // the atom says that it is absent, and so must a document
	// excluded words are counted as often as they are mentioned.
	excluded bool
	weight   float64
	marks    []uint16 // for each form the piece that is rarest
}

// form is a way to write a word, as pieces.
type form []uint16

const none = -1

// NewQuery returns a query for the words of atoms, weighted by how rare they are in a
// collection; excluded are the indices of the atoms that the formula excludes. Function
// words count only in atoms that have no others. An atom without words matches nothing.
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

// mark stands in place of a list for the pieces that are no words, which a reader must see
// too. There are fewer lists than that: each word has some hundred.
const mark = 1 << 15

// stride is how many pieces are looked at together, since most are of no interest.
const stride = 8

// together are the rows of some pieces, one number laid over another.
func (q *Query) together(p *[stride]uint16) uint16 {
	r := q.rows
	return r[p[0]] | r[p[1]] | r[p[2]] | r[p[3]] | r[p[4]] | r[p[5]] | r[p[6]] | r[p[7]]
}

// matches reports whether any of a document's pieces has hits.
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

// place fills the lists of hits.
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
		for i := range q.hits[row] { // a neighbour of several forms is one mention
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
				// Where its rarest piece stands it is worth looking.
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
	n := max(1, len(a.words))
	a.exponent = 1 + strictness*math.Log2(float64(n))
	a.factor = min(1, float32(longAtom)/float32(n))
}

// scale makes partial matches of atoms with several words count less, and long atoms as a
// whole: a question is matched by its meaning rather than by its words.
func (a *atom) scale(x float32) float32 {
	if x *= a.factor; x > 0 && a.exponent > 1 {
		x = float32(math.Pow(float64(x), a.exponent))
	}
	return x
}

// Atoms is how many there are.
func (q *Query) Atoms() int { return len(q.atoms) }
