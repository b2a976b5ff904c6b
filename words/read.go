package words

import (
	"slices"

	"github.com/nsfl-go/nsfl/vec"
)

// Reader reads documents for a query. It is for one goroutine at a time.
type Reader struct {
	q *Query
	// stated and denied are the lanes of a passage: what it says, and what it says to be
	// absent.
	stated, denied [][laneCount]byte
	// found and absent are, by word, how much a passage says it and how much it says that
	// it is absent; whole and denial the most of it in the document.
	found, absent []float32
	whole, denial []float32
}

// NewReader makes one.
func (q *Query) NewReader() *Reader {
	return &Reader{
		q: q, stated: make([][laneCount]byte, len(q.tables)), denied: make([][laneCount]byte, len(q.tables)),
		found: make([]float32, len(q.words)), absent: make([]float32, len(q.words)),
		whole: make([]float32, len(q.words)), denial: make([]float32, len(q.words)),
	}
}

// deniedShare is how much the denial of a word counts against it.
const deniedShare = 0.5

// Least is the least that Read writes, where a document denies all words.
const Least = -deniedShare / 2

// Read writes, for each atom, how much of its words a document has, up to 1: the mean of
// what all of the document has and what its best passage has. A word that stands there
// counts 1, otherwise its nearest neighbour there; rare words weigh more. What is only
// denied counts less than what is not spoken of.
func (r *Reader) Read(out []float32, pieces []uint16) {
	clear(out)
	clear(r.whole)
	clear(r.denial)
	r.passages(pieces, func(_, _ int, _ []uint16) {
		for i := range r.q.atoms {
			out[i] = max(out[i], r.q.atoms[i].sum(r.found))
		}
		for w, x := range r.found {
			r.whole[w], r.denial[w] = max(r.whole[w], x), max(r.denial[w], r.absent[w])
		}
	})
	for w, x := range r.denial {
		r.whole[w] -= deniedShare * max(0, x-r.whole[w])
	}
	for i := range r.q.atoms {
		out[i] = (out[i] + r.q.atoms[i].sum(r.whole)) / 2
	}
}

// passages calls f for each passage in which anything was found.
func (r *Reader) passages(pieces []uint16, f func(i, at int, passage []uint16)) {
	for i, at := 0, 0; at < len(pieces) && len(r.q.tables) > 0; i++ {
		passage := pieces[at : at+r.read(0, pieces[at:])]
		for t := range r.q.tables[1:] {
			r.read(t+1, passage)
		}
		if r.look(passage) {
			f(i, at, passage)
		}
		at += len(passage) + 1
	}
}

// read fills the lanes of a table from a passage, and returns its length.
func (r *Reader) read(t int, pieces []uint16) (length int) {
	r.stated[t], r.denied[t] = [laneCount]byte{}, [laneCount]byte{}
	into := &r.stated[t]
	for {
		length += vec.Lanes(into, r.q.tables[t], pieces[length:], stating)
		if length == len(pieces) || pieces[length] == Break {
			return length
		}
		if into = &r.stated[t]; pieces[length] == denying {
			into = &r.denied[t]
		}
		length++
	}
}

func (a *atom) sum(found []float32) (sum float32) {
	for i, w := range a.words {
		sum += a.weights[i] * found[w]
	}
	return sum
}

// look fills found from the lanes of a passage, and reports whether there is anything.
func (r *Reader) look(passage []uint16) bool {
	var nothing [laneCount]byte
	if !slices.ContainsFunc(r.stated, func(l [laneCount]byte) bool { return l != nothing }) &&
		!slices.ContainsFunc(r.denied, func(l [laneCount]byte) bool { return l != nothing }) {
		return false
	}
	for i := range r.q.words {
		w := &r.q.words[i]
		said, denied := w.in(r.stated, passage, false), w.in(r.denied, passage, true)
		if w.denied {
			said, denied = denied, said
		}
		r.found[i], r.absent[i] = float32(said)/255, float32(denied)/255
	}
	return true
}

// in is how similar a passage's nearest word is, among those that it says or those that
// it denies, whose lanes these are.
func (w *word) in(lanes [][laneCount]byte, passage []uint16, denied bool) (best byte) {
	if w.soft != none {
		best = lanes[w.soft/laneCount][w.soft%laneCount]
	}
	for _, f := range w.long {
		if best < 255 && lanes[f.lane/laneCount][f.lane%laneCount] == 255 && f.stands(passage, denied) {
			best = 255
		}
	}
	return best
}

// stands reports whether a form is among what a passage says, or among what it denies.
func (f *form) stands(passage []uint16, denied bool) bool {
	in := false
	for i, p := range passage {
		switch {
		case p == denying || p == stating:
			in = p == denying
		case in == denied && p == f.pieces[0] && f.at(passage[i:]):
			return true
		}
	}
	return false
}

// at reports whether the form begins here and ends where the word does.
func (f *form) at(rest []uint16) bool {
	n := len(f.pieces)
	return len(rest) >= n && slices.Equal(rest[:n], f.pieces) && (len(rest) == n || !continues(rest[n]))
}

// continues reports whether a piece goes on with the word before it.
func continues(piece uint16) bool {
	return piece&fragment != 0 && shared().continuing[piece&^fragment]
}
