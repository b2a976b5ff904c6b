package words

import (
	"math"
	"slices"
)

// Reader scores documents for a query. It is not safe for concurrent use.
type Reader struct {
	q *Query
	// stated and denied hold, by word, the best similarity in a passage, among the words it
	// states and the words it denies. something reports whether any is nonzero.
	stated, denied []byte
	something      bool
	// found and absent hold, by word, how well a passage matches the term, and how well the
	// opposite: a denial of a wanted word, or a mention of a denied one.
	found, absent []float32
	// Totals of a document, by word: the best match in any passage, the match in the title,
	// the best opposite match, the sum over passages and the sum over mentions.
	best, title, denial, passages, mentions []float32
}

// NewReader returns a reader for the query.
func (q *Query) NewReader() *Reader {
	n := len(q.words)
	r := &Reader{q: q, stated: make([]byte, n), denied: make([]byte, n)}
	for _, column := range []*[]float32{&r.found, &r.absent, &r.best, &r.title, &r.denial, &r.passages, &r.mentions} {
		*column = make([]float32, n)
	}
	return r
}

// deniedShare is the penalty for a denied word.
const deniedShare = 0.5

// Least is the lowest score of Read, for a document that denies all words.
const Least = -deniedShare / 2

// Parameters of aboutness. They were tuned on six datasets; see doc/design.md.
const (
	// titleShare is the least score of a wanted word in the title of a long document.
	titleShare = 0.8
	// aboutEvery is the average distance, in pieces, between mentions of an excluded word in a
	// document that is about it.
	aboutEvery = 50
	// longAtom is the number of words above which an atom is a question rather than a name.
	longAtom = 4
	// strictness raises an atom's score to the power 1 + strictness·log2(words), because any
	// long document matches some of many words.
	strictness = 0.3
)

// Read computes, for each atom, how much a document is about it, up to 1.
//
// The score of a wanted atom is the mean of two values: the score of its best passage, where
// its words occur together, and the score of its words in the whole document. The latter
// scales each word by the cube root of the share of passages that mention it, but a word in
// the title counts at least titleShare. In a document of one passage every mention counts 1.
// For an excluded atom only words in the title and frequent words count; a single mention in a
// long document hardly does. A document is about an excluded atom no more than about any of
// its words.
//
// A mentioned word counts 1, and otherwise its nearest neighbour counts less. Rare words weigh
// more. Words that are only denied count less than absent words.
func (r *Reader) Read(out []float32, pieces []uint16) {
	clear(out)
	if !r.q.matches(pieces) { // most documents contain none of the words
		return
	}
	passages, length := r.scan(out, pieces)
	for i := range r.q.atoms {
		a := &r.q.atoms[i]
		if a.excluded {
			out[i] = r.excluded(a, length)
		} else {
			out[i] = a.scale((out[i] + r.wanted(a, passages)) / 2)
		}
	}
}

// scan reads the title and all passages. It writes the best passage score of each atom, and
// returns the number of passages and of their pieces.
func (r *Reader) scan(best []float32, pieces []uint16) (passages, length int) {
	for _, column := range [][]float32{r.best, r.title, r.denial, r.passages, r.mentions} {
		clear(column)
	}
	for at, segment := 0, 0; at <= len(pieces); at, segment = at+1, segment+1 {
		n := r.read(pieces[at:])
		at += n
		if segment > 0 {
			passages, length = passages+1, length+n
		}
		if !r.something {
			continue
		}
		r.look()
		for i := range r.q.atoms {
			best[i] = max(best[i], r.q.atoms[i].sum(r.found))
		}
		for w, x := range r.found {
			r.best[w], r.denial[w] = max(r.best[w], x), max(r.denial[w], r.absent[w])
			if segment > 0 {
				r.passages[w] += fourth(x)
			}
		}
		if segment == 0 {
			copy(r.title, r.found)
			clear(r.mentions) // the title is scored separately
		}
	}
	for w, x := range r.denial {
		r.best[w] -= deniedShare * max(0, x-r.best[w])
	}
	return max(1, passages), max(1, length)
}

// wanted returns the score of an atom's words in the whole document.
func (r *Reader) wanted(a *atom, passages int) (sum float32) {
	for i, w := range a.words {
		x := r.best[w]
		if x > 0 && passages > 1 {
			spread := math.Cbrt(float64(min(1, r.passages[w]/float32(passages))))
			x = max(min(x, titleShare*r.title[w]), x*float32(spread))
		}
		sum += a.weights[i] * x
	}
	return sum
}

// excluded returns how much a document is about an excluded atom: as much as about the word
// that it is least about.
func (r *Reader) excluded(a *atom, length int) float32 {
	if len(a.words) == 0 {
		return 0
	}
	least := float32(1)
	for _, w := range a.words {
		least = min(least, r.about(w, length))
	}
	return least
}

// about returns how much a document is about an excluded word.
func (r *Reader) about(w, length int) float32 {
	x := r.best[w]
	if x <= 0 {
		return x / 2
	}
	density := min(1, r.mentions[w]*aboutEvery/float32(length))
	return max(r.title[w], x*density*density)
}

// fourth gives neighbours of a word little weight compared to the word itself.
func fourth(x float32) float32 { return x * x * x * x }

// read scans the first passage of pieces and returns its length.
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

// hit records the hits of the piece at i.
func (r *Reader) hit(into []byte, hits []hit, pieces []uint16, i int) {
	for j := range hits {
		h := &hits[j]
		better, counts := h.similarity > into[h.word], r.q.words[h.word].excluded
		if !better && !counts || h.form != nil && (i < h.at || !h.form.at(pieces[i-h.at:])) {
			continue
		}
		if better {
			into[h.word], r.something = h.similarity, true
		}
		if counts && &into[0] == &r.stated[0] {
			r.mentions[h.word] += fourth(similarities[h.similarity])
		}
	}
}

func (a *atom) sum(found []float32) (sum float32) {
	for i, w := range a.words {
		sum += a.weights[i] * found[w]
	}
	return sum
}

// similarities maps bytes to similarities. A table avoids a division per word and passage.
var similarities = func() (out [256]float32) {
	for i := range out {
		out[i] = float32(i) / 255
	}
	return out
}()

// look sets found and absent from the stated and denied words of a passage.
func (r *Reader) look() {
	for i := range r.q.words {
		stated, denied := r.stated[i], r.denied[i]
		if r.q.words[i].denied {
			stated, denied = denied, stated
		}
		r.found[i], r.absent[i] = similarities[stated], similarities[denied]
	}
}

// at reports whether rest starts with the form and the word ends there.
func (f form) at(rest []uint16) bool {
	n := len(f)
	return len(rest) >= n && slices.Equal(rest[:n], f) && (len(rest) == n || !continues(rest[n]))
}

// continues reports whether a piece continues the word before it.
func continues(piece uint16) bool {
	return piece&fragment != 0 && shared().continuing[piece&^fragment]
}
