package words

import "slices"

// Reader reads documents for a query. It is for one goroutine at a time.
type Reader struct {
	q *Query
	// stated and denied are, by word, how similar the nearest word of a passage is, among
	// those that it says and those that it says to be absent; something: there are any.
	stated, denied []byte
	something      bool
	// found and absent are, by word, how much a passage says it and how much it says that
	// it is absent; whole and denial the most of it in the document.
	found, absent []float32
	whole, denial []float32
}

// NewReader makes one.
func (q *Query) NewReader() *Reader {
	n := len(q.words)
	return &Reader{
		q: q, stated: make([]byte, n), denied: make([]byte, n),
		found: make([]float32, n), absent: make([]float32, n),
		whole: make([]float32, n), denial: make([]float32, n),
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
	if !r.q.speaks(pieces) { // most documents do not
		return
	}
	clear(r.whole)
	clear(r.denial)
	for at := 0; at < len(pieces); at++ {
		at += r.read(pieces[at:])
		if !r.something {
			continue
		}
		r.look()
		for i := range r.q.atoms {
			out[i] = max(out[i], r.q.atoms[i].sum(r.found))
		}
		for w, x := range r.found {
			r.whole[w], r.denial[w] = max(r.whole[w], x), max(r.denial[w], r.absent[w])
		}
	}
	for w, x := range r.denial {
		r.whole[w] -= deniedShare * max(0, x-r.whole[w])
	}
	for i := range r.q.atoms {
		out[i] = (out[i] + r.q.atoms[i].sum(r.whole)) / 2
	}
}

// read reads the first passage of pieces, and returns its length.
func (r *Reader) read(pieces []uint16) (length int) {
	if r.something {
		clear(r.stated)
		clear(r.denied)
		r.something = false
	}
	rows, into := r.q.rows, r.stated
	for i := 0; i < len(pieces); {
		end := min(i+stride, len(pieces))
		if end == i+stride && r.q.together((*[stride]uint16)(pieces[i:])) == 0 {
			i = end
			continue
		}
		for ; i < end; i++ {
			row := rows[pieces[i]]
			switch {
			case row == 0:
			case row != mark:
				r.hit(into, r.q.hits[row], pieces, i)
			case pieces[i] == Break:
				return i
			case pieces[i] == denying:
				into = r.denied
			default:
				into = r.stated
			}
		}
	}
	return len(pieces)
}

// hit notes what the piece at i is to words.
func (r *Reader) hit(into []byte, hits []hit, pieces []uint16, i int) {
	for j := range hits {
		h := &hits[j]
		if h.similarity > into[h.word] && (h.form == nil || i >= h.at && h.form.at(pieces[i-h.at:])) {
			into[h.word], r.something = h.similarity, true
		}
	}
}

func (a *atom) sum(found []float32) (sum float32) {
	for i, w := range a.words {
		sum += a.weights[i] * found[w]
	}
	return sum
}

// similarities are those that bytes stand for: a division for each word of each passage
// would be felt.
var similarities = func() (out [256]float32) {
	for i := range out {
		out[i] = float32(i) / 255
	}
	return out
}()

// look fills found and absent from what a passage states and denies.
func (r *Reader) look() {
	for i := range r.q.words {
		said, denied := r.stated[i], r.denied[i]
		if r.q.words[i].denied {
			said, denied = denied, said
		}
		r.found[i], r.absent[i] = similarities[said], similarities[denied]
	}
}

// at reports whether the form begins here and ends where the word does.
func (f form) at(rest []uint16) bool {
	n := len(f)
	return len(rest) >= n && slices.Equal(rest[:n], f) && (len(rest) == n || !continues(rest[n]))
}

// continues reports whether a piece goes on with the word before it.
func continues(piece uint16) bool {
	return piece&fragment != 0 && shared().continuing[piece&^fragment]
}
