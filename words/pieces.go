package words

import "strings"

// The pieces of a document are numbers of the vocabulary, in the order of its words.
// Signs are left out. These numbers are no words but stand between them.
const (
	Break   uint16 = 0 // ends a passage; the last one has none
	denying uint16 = 1 // what follows is said to be absent
	stating uint16 = 2 // and what follows is not any more
)

// fragment marks a piece of a word that has several.
const fragment uint16 = 1 << 15

// Pieces are the passages of a document as pieces. What a passage says to be absent is
// marked: see denial.go.
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

// token is a word or a sign of a text.
type token struct {
	ids  []int32
	word string // in lower case and without accents
	sign bool
}

// mark is what the pieces of a word carry.
func (t *token) mark() uint16 {
	if len(t.ids) > 1 {
		return fragment
	}
	return 0
}

// tokenize cuts a text into words and signs.
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
