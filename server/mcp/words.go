package mcp

import (
	"github.com/nsfl-go/nsfl/internal/matchtext"
	"github.com/nsfl-go/nsfl/retrieve"
)

// passage is the best passage for one or several atoms. Atoms share a passage if possible,
// to save tokens.
type passage struct {
	Atoms []string `json:"atoms"`
	Text  string   `json:"text"`
	Place *place   `json:"place,omitempty"`
}

// passagesOf returns the best passage for each wanted atom, at most n bytes together.
func passagesOf(h *retrieve.Hit, n int) (out []passage) {
	all := matchtext.Passages(h)
	for _, p := range all {
		one := passage{Text: clip(p.Text, max(lowBytes, n/len(all))), Place: placeOf(h, &p.Atoms[0])}
		for _, a := range p.Atoms {
			one.Atoms = append(one.Atoms, a.Atom)
		}
		out = append(out, one)
	}
	return out
}

// wordsPart is the lexical part of a score.
type wordsPart struct {
	Vectors float64     `json:"vectors" jsonschema:"the score of the vectors"`
	Words   float64     `json:"words" jsonschema:"the lexical score"`
	Atoms   []atomWords `json:"atoms"`
}

type atomWords struct {
	Atom  string   `json:"atom" jsonschema:"with NOT if it is excluded"`
	Share float64  `json:"share" jsonschema:"of its words in the document, up to 1; below 0 if the document denies them"`
	Found []string `json:"found" jsonschema:"each word, the matching word (~ is the similarity) and its position"`
}

// wordsOf returns the lexical part of an explained hit, or nil if words do not count.
func wordsOf(h *retrieve.Hit) *wordsPart {
	if h.Explanation == nil || h.Explanation.Words == nil {
		return nil
	}
	w := h.Explanation.Words
	out := &wordsPart{Vectors: round(w.Vectors), Words: round(w.Weight * w.Said), Atoms: []atomWords{}}
	for i := range h.Words {
		a := &h.Words[i]
		found := matchtext.Words(a)
		if found == nil {
			found = []string{} // a like: atom has none
		}
		out.Atoms = append(out.Atoms, atomWords{matchtext.Name(a), round(a.Share), found})
	}
	return out
}
