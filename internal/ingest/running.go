package ingest

import (
	"regexp"

	"github.com/nsfl-go/nsfl/internal/ingest/pdf"
)

var digits = regexp.MustCompile(`\d+`)

// removeRunning removes running heads and page numbers: text that many pages have at the top
// or bottom.
func removeRunning(pages []pdf.Page) {
	const few = 3 // pages
	if len(pages) < few {
		return
	}
	type position struct {
		text string
		top  bool
	}
	of := func(p pdf.Page) map[int]position {
		found := map[int]position{}
		for _, end := range []struct{ from, step int }{{0, 1}, {len(p.Lines) - 1, -1}} {
			for n, i := 0, end.from; n < 2 && i >= 0 && i < len(p.Lines); n, i = n+1, i+end.step {
				found[i] = position{digits.ReplaceAllString(p.Lines[i].Text, "#"), end.step > 0}
			}
		}
		return found
	}
	counts := map[position]int{}
	for _, p := range pages {
		for _, at := range of(p) {
			counts[at]++
		}
	}
	for i, p := range pages {
		running := of(p)
		var kept []pdf.Line
		for j, l := range p.Lines {
			// Left and right pages have different running heads, and so do chapters.
			if at, ok := running[j]; !ok || counts[at] < few || 10*counts[at] < len(pages) {
				kept = append(kept, l)
			}
		}
		pages[i].Lines = kept
	}
}
