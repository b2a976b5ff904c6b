package mcp

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/retrieve"
)

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

// write writes a line that begins with file:line, as far as these are known.
func (p *place) write(b *strings.Builder) {
	if p == nil {
		return
	}
	var parts []string
	switch {
	case p.File != "" && p.Line > 0:
		parts = append(parts, fmt.Sprintf("%s:%d", p.File, p.Line))
	case p.File != "":
		parts = append(parts, p.File)
	case p.Line > 0:
		parts = append(parts, fmt.Sprintf("line %d", p.Line))
	}
	if p.Page > 0 {
		parts = append(parts, fmt.Sprintf("page %d", p.Page))
	}
	if p.Heading != "" {
		parts = append(parts, p.Heading)
	}
	fmt.Fprintf(b, "   at %s\n", strings.Join(parts, ", "))
}
