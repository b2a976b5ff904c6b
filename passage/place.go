package passage

import (
	"fmt"
	"strings"
	"unicode/utf8"
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

// Without is the place where the title of its document is not the first heading.
func (p Place) Without(title string) Place {
	if first, rest, _ := strings.Cut(p.Heading, Below); title != "" && first == clipped(title) {
		p.Heading = rest
	}
	return p
}

// outline is the headings above what is read.
type outline struct {
	levels   []int
	headings []string
	path     string
}

// unknownLevel is below all that are known.
const unknownLevel = 1 << 10

// enter goes below a heading, and leaves those that are not above it.
func (o *outline) enter(b Block) {
	level := b.Level
	if level == 0 {
		level = unknownLevel
	}
	n := len(o.levels)
	for n > 0 && o.levels[n-1] >= level {
		n--
	}
	o.levels = append(o.levels[:n], level)
	o.headings = append(o.headings[:n], clipped(strings.Join(b.Rows, " ")))
	o.path = strings.Join(o.headings, Below)
}

// clipped is a heading of which a path still has room for others.
func clipped(heading string) string {
	const most = 80
	heading = strings.ReplaceAll(heading, Below, " ")
	if utf8.RuneCountInString(heading) <= most {
		return heading
	}
	cut := string([]rune(heading)[:most])
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return cut + "…"
}
