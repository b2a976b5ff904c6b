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
