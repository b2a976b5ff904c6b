package passage

import (
	"fmt"
	"strings"
)

// Place is where a passage stands in what it was read from. What is zero is not known.
type Place struct {
	Heading string `json:"heading,omitempty" doc:"the headings that it stands below, outermost first"`
	Page    int    `json:"page,omitempty" doc:"where it begins, from 1"`
	Line    int    `json:"line,omitempty" doc:"of the file, where it begins, from 1"`
}

// Below joins the headings of a place.
const Below = " › "

// String says it in words; empty: nothing is known.
func (p Place) String() string {
	var parts []string
	if p.Heading != "" {
		parts = append(parts, p.Heading)
	}
	if p.Page > 0 {
		parts = append(parts, fmt.Sprintf("page %d", p.Page))
	}
	if p.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d", p.Line))
	}
	return strings.Join(parts, ", ")
}
