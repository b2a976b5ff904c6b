package words

import "strings"

// A document's pieces are vocabulary IDs in text order, without punctuation. The following
// values are markers between words.
const (
	Break   uint16 = 0 // separates passages
	denying uint16 = 1 // starts denied words
	stating uint16 = 2 // ends denied words
)

// fragment marks a piece of a word that has several pieces.
const fragment uint16 = 1 << 15

// Pieces encodes the passages of a document as pieces, with markers around denied words: see
// denial.go.
func Pieces(passages []string) []uint16 {
	v := shared()
	var out []uint16
	for i, text := range passages {
		if i > 0 {
			out = append(out, Break)
		}
		out = v.append(out, text)
	}
	return out
}

// append appends the pieces of one passage.
func (v *vocabulary) append(out []uint16, text string) []uint16 {
	tokens := v.tokenize(text)
	denied := false
	for i, d := range deny(tokens) {
		t := &tokens[i]
		if t.sign {
			continue
		}
		if d != denied {
			out, denied = append(out, sign(d)), d
		}
		for _, id := range t.ids {
			out = append(out, uint16(id)|t.mark())
		}
	}
	return out
}

func sign(denied bool) uint16 {
	if denied {
		return denying
	}
	return stating
}

// token is a word or a punctuation mark.
type token struct {
	ids  []int32
	word string // in lower case and without accents
	sign bool
}

// mark returns the flag for the pieces of the token.
func (t *token) mark() uint16 {
	if len(t.ids) > 1 {
		return fragment
	}
	return 0
}

// tokenize splits a text into words and punctuation marks.
func (v *vocabulary) tokenize(text string) []token {
	ids := v.cut(text)
	var out []token
	for from := 0; from < len(ids); {
		to := from + 1
		for to < len(ids) && v.continuing[ids[to]] {
			to++
		}
		t := token{ids: ids[from:to], word: v.pieces[ids[from]], sign: v.sign[ids[from]] && uint16(ids[from]) != v.unknown}
		if to > from+1 {
			var b strings.Builder
			for _, id := range t.ids {
				b.WriteString(strings.TrimPrefix(v.pieces[id], "##"))
			}
			t.word = b.String()
		}
		out, from = append(out, t), to
	}
	return out
}
