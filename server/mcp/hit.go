package mcp

import (
	"github.com/nsfl-go/nsfl/internal/matchtext"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// hit is a search result.
type hit struct {
	Rank         int                `json:"rank"`
	Score        float64            `json:"score"`
	Probability  float64            `json:"probability,omitempty" jsonschema:"of being relevant"`
	ID           string             `json:"id"`
	Title        string             `json:"title,omitempty"`
	Snippet      string             `json:"snippet,omitempty" jsonschema:"the passage that matches best"`
	Place        *place             `json:"place,omitempty" jsonschema:"of the snippet"`
	Passages     []passage          `json:"passages,omitempty" jsonschema:"instead of a snippet, if there are several wanted atoms: the best passage for each"`
	RuledOut     []string           `json:"ruled_out,omitempty" jsonschema:"atoms that the text denies"`
	Copies       []string           `json:"copies,omitempty" jsonschema:"ids of documents with the same content, the first of copy_count"`
	CopyCount    int                `json:"copy_count,omitempty"`
	Why          string             `json:"why,omitempty" jsonschema:"how the score was computed"`
	Metadata     map[string]any     `json:"metadata,omitempty"`
	Similarities map[string]float64 `json:"similarities,omitempty" jsonschema:"to each atom"`
	PlainRank    int                `json:"plain_rank,omitempty" jsonschema:"in plain vector search; omitted if it is not found there"`
}

// Limits of a hit, in bytes.
const (
	titleBytes    = 200
	lowBytes      = 80 // of the text, in place of a title
	snippetBytes  = 240
	longBytes     = 1200
	whyBytes      = 400
	metadataBytes = 2000 // longer metadata is omitted
	namedCopies   = 5    // ids
)

// shown returns a hit in the requested detail.
func shown(h *retrieve.Hit, f *query.Formula, in searchArgs) hit {
	out := hit{Rank: h.Rank, Score: round(h.Score), Probability: round(h.Probability), ID: h.ID, Title: clip(h.Title, titleBytes)}
	out.RuledOut, out.CopyCount = matchtext.Absent(h), h.CopyCount
	for _, c := range h.Copies[:min(namedCopies, len(h.Copies))] {
		out.Copies = append(out.Copies, c.ID)
	}
	if h.Explanation != nil {
		out.Why = clip(h.Explanation.Sentence, whyBytes)
	}
	switch in.Detail {
	case "low":
		if h.Title == "" {
			out.Title = clip(h.Snippet.Text, lowBytes)
		}
	case "normal":
		out.read(h, snippetBytes)
	case "high":
		out.read(h, longBytes)
	}
	if (in.Detail == "high" || in.Fields != nil) && len(h.Metadata) <= metadataBytes {
		out.Metadata = object(h.Metadata)
	}
	if in.Compare {
		out.PlainRank = h.PlainRank
		out.Similarities = map[string]float64{}
		for i := range f.Terms.Atoms() {
			for _, s := range h.Similarities {
				if s.Formula == f.Terms.Name(i) {
					out.Similarities[s.Formula] = round(s.Value)
				}
			}
		}
	}
	return out
}

// read sets the best passage for each wanted atom or, for a single one, the snippet, in at
// most n bytes.
func (out *hit) read(h *retrieve.Hit, n int) {
	if out.Passages = passagesOf(h, n); out.Passages == nil {
		out.Snippet, out.Place = clip(h.Snippet.Text, n), placeOf(h, &h.Snippet)
	}
}

// place is the location of a passage, for citations.
type place struct {
	File    string `json:"file,omitempty"`
	Heading string `json:"heading,omitempty" jsonschema:"headings above it, outermost first"`
	Page    int    `json:"page,omitempty"`
	Line    int    `json:"line,omitempty"`
}

// placeOf returns the location of a snippet, or nil if it is the beginning of the file that
// the document's id names.
func placeOf(h *retrieve.Hit, s *retrieve.Snippet) *place {
	p := &place{h.Source(), s.Place.Heading, s.Place.Page, s.Place.Line}
	if p.Heading == "" && p.Page == 0 && p.Line <= 1 && (p.File == "" || p.File == h.ID) {
		return nil
	}
	return p
}

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
	out := &wordsPart{Vectors: round(w.Vectors), Words: round(w.Weight * w.Lexical), Atoms: []atomWords{}}
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
