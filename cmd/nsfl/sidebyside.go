package main

import (
	"fmt"
	"strings"
)

// sideBySide shows plain retrieval on the left and the result on the right, and
// where each document went or came from.
func (p *printer) sideBySide() {
	r := p.result
	half := (p.width - 3) / 2
	fmt.Fprintf(p, "%s │ %s\n", p.paint(bold, pad("     plain retrieval: the query as one string", half)), p.paint(bold, "     with logic: "+r.Mode.String()))
	fmt.Fprintf(p, "%s┼%s\n", strings.Repeat("─", half+1), strings.Repeat("─", half+1))
	for i := range max(len(r.Plain), len(r.Hits)) {
		fmt.Fprintf(p, "%s │ %s\n", p.plainCell(i, half), p.hitCell(i, half))
	}
	fmt.Fprintln(p)
	if len(p.result.Hits) > 0 && p.result.Hits[0].Explanation != nil {
		p.hits()
	}
}

func (p *printer) plainCell(i, width int) string {
	if i >= len(p.result.Plain) {
		return strings.Repeat(" ", width)
	}
	h := p.result.Plain[i]
	move, colour := "gone", red
	if h.Now > 0 {
		move, colour = fmt.Sprintf("→ %d", h.Now), dim
	}
	return p.cell(h.Rank, name(h.Title, h.Text, h.ID), move, colour, width)
}

func (p *printer) hitCell(i, width int) string {
	if i >= len(p.result.Hits) {
		return ""
	}
	h := p.result.Hits[i]
	move, colour := fmt.Sprintf("was %d", h.PlainRank), dim
	switch {
	case h.PlainRank == 0:
		move, colour = fmt.Sprintf("was > %d", p.result.Compared), green
	case h.PlainRank > len(p.result.Plain):
		colour = green
	}
	return p.cell(h.Rank, name(h.Title, h.Snippet.Text, h.ID), move, colour, width)
}

func (p *printer) cell(rank int, text, move, colour string, width int) string {
	room := width - 5 - textWidth(move) - 1
	return fmt.Sprintf("%3d  %s %s", rank, pad(clip(clean(text), room), room), p.paint(colour, move))
}

// name is what a document is called where there is one line for it.
func name(title, text, id string) string {
	for _, s := range []string{title, text} {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return id
}
