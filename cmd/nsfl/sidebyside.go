package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// sideBySide prints plain retrieval on the left and the result on the right, with the change
// in rank.
func (p *printer) sideBySide() {
	r := p.result
	half := (p.width - 3) / 2
	left := "     plain retrieval: the query as one string"
	if progress.Columns(left) > half {
		left = "     plain retrieval"
	}
	fmt.Fprintf(p, "%s │ %s\n", p.paint(bold, pad(left, half)), p.paint(bold, "     with logic"))
	fmt.Fprintf(p, "%s┼%s\n", strings.Repeat("─", half+1), strings.Repeat("─", half+1))
	for i := range max(len(r.Plain), len(r.Hits)) {
		fmt.Fprintf(p, "%s │ %s\n", p.plainCell(i, half), p.hitCell(i, half))
	}
	fmt.Fprintln(p)
	if len(p.result.Hits) > 0 && p.result.Hits[0].Explanation != nil {
		p.hits()
	}
}

// plainCell formats line i of plain retrieval.
func (p *printer) plainCell(i, width int) string {
	if i >= len(p.result.Plain) {
		return strings.Repeat(" ", width)
	}
	h := p.result.Plain[i]
	if h.Now == 0 {
		return p.cell(h.Rank, copies(h.CopyCount)+"gone", red, width, h.Title, h.Text, h.ID)
	}
	return p.cell(h.Rank, fmt.Sprintf("%s→ %d", copies(h.CopyCount), h.Now), dim, width, h.Title, h.Text, h.ID)
}

// hitCell formats line i of the result.
func (p *printer) hitCell(i, width int) string {
	if i >= len(p.result.Hits) {
		return ""
	}
	h := p.result.Hits[i]
	move, colour := fmt.Sprintf("was %d", h.PlainRank), dim
	if h.PlainRank == 0 {
		move = fmt.Sprintf("was > %d", p.result.Compared)
	}
	if h.PlainRank == 0 || h.PlainRank > len(p.result.Plain) {
		colour = green
	}
	return p.cell(h.Rank, copies(h.CopyCount)+move, colour, width, h.Title, h.Snippet.Text, h.ID)
}

// copies formats the number of copies; it is empty for none.
func copies(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("+%d, ", n)
}

// cell formats a line with the first name that is not empty, and the change in rank.
func (p *printer) cell(rank int, move, colour string, width int, names ...string) string {
	room := width - 5 - progress.Columns(move) - 1
	return fmt.Sprintf("%3d  %s %s", rank, pad(clip(termsafe.Text(cmp.Or(names...)), room), room), p.paint(colour, move))
}
