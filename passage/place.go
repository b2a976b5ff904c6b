package passage

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Place is the position of a passage in its source. Zero fields are unknown.
type Place struct {
	Heading string `json:"heading,omitempty" doc:"the headings that it stands below, outermost first"`
	Page    int    `json:"page,omitempty" doc:"where it begins, from 1"`
	Line    int    `json:"line,omitempty" doc:"of the file, where it begins, from 1"`
}

// Below separates the headings of a place.
const Below = " › "

// String describes the place; it is empty if nothing is known.
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

// Without returns the place without the document's title as its first heading.
func (p Place) Without(title string) Place {
	if first, rest, _ := strings.Cut(p.Heading, Below); title != "" && first == clipped(title) {
		p.Heading = rest
	}
	return p
}

// outline is the path of headings at the current position.
type outline struct {
	levels   []int
	headings []string
	path     string
}

// unknownLevel ranks below all known levels.
const unknownLevel = 1 << 10

// enter adds a heading to the path, after removing those of the same or a lower rank.
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

// clipped shortens a heading to leave room for others in a path.
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
