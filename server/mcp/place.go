package mcp

import "github.com/nsfl-go/nsfl/retrieve"

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
