package mcp

import (
	"fmt"
	"strings"

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
	Absent       []string           `json:"said_to_be_absent,omitempty" jsonschema:"atoms that the document denies"`
	Copies       []string           `json:"copies,omitempty" jsonschema:"ids of documents with the same content, the first of copy_count"`
	CopyCount    int                `json:"copy_count,omitempty"`
	Why          string             `json:"why,omitempty" jsonschema:"how the score was computed"`
	Metadata     map[string]any     `json:"metadata,omitempty"`
	Similarities map[string]float64 `json:"similarities,omitempty" jsonschema:"to each atom"`
	PlainRank    int                `json:"plain_rank,omitempty" jsonschema:"in plain vector search"`

	copies string // in words
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
	out.Absent, out.CopyCount, out.copies = matchtext.Absent(h), h.CopyCount, matchtext.Copies(h, namedCopies)
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

func (h *hit) write(b *strings.Builder) {
	fmt.Fprintf(b, "%d. %.3f", h.Rank, h.Score)
	if h.Probability > 0 {
		fmt.Fprintf(b, " (%.0f %% probable)", 100*h.Probability)
	}
	fmt.Fprintf(b, "  id %s", h.ID)
	if h.Title != "" {
		fmt.Fprintf(b, "  %s", h.Title)
	}
	b.WriteByte('\n')
	for _, p := range h.Passages {
		fmt.Fprintf(b, "   [%s] %s\n", strings.Join(p.Atoms, ", "), p.Text)
		p.Place.write(b)
	}
	if h.Snippet != "" {
		fmt.Fprintf(b, "   %s\n", h.Snippet)
		h.Place.write(b)
	}
	if len(h.Absent) > 0 {
		fmt.Fprintf(b, "   %s: %s\n", matchtext.ToBeAbsent, strings.Join(h.Absent, ", "))
	}
	if h.copies != "" {
		fmt.Fprintf(b, "   %s\n", h.copies)
	}
	if h.Why != "" {
		fmt.Fprintf(b, "   %s\n", h.Why)
	}
	if len(h.Metadata) > 0 {
		fmt.Fprintf(b, "   metadata: %s\n", compact(h.Metadata))
	}
	if h.Similarities != nil {
		fmt.Fprintf(b, "   similarities: %s; ", compact(h.Similarities))
		if h.PlainRank > 0 {
			fmt.Fprintf(b, "rank %d in plain vector search\n", h.PlainRank)
		} else {
			b.WriteString("not found by plain vector search\n")
		}
	}
}
