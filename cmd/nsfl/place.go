package main

import (
	"strings"

	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/retrieve"
)

// place prints the place of a passage: file, headings, page and line. If it does not fit, the
// outermost headings and folders are left out.
func (p *printer) place(h *retrieve.Hit, at passage.Place) {
	const indent = "     "
	if at == (passage.Place{}) {
		return
	}
	source, room := termsafe.Text(h.Source()), p.width-len(indent)
	where := func() string { return strings.TrimPrefix(source+", "+termsafe.Text(at.String()), ", ") }
	isLong := func(text string) bool { return p.wraps && progress.Columns(text) > room }
	for isLong(source) {
		_, inner, ok := strings.Cut(strings.TrimPrefix(source, "…/"), "/")
		if !ok {
			break
		}
		source = "…/" + inner
	}
	for isLong(where()) {
		_, inner, ok := strings.Cut(strings.TrimPrefix(at.Heading, "…"+passage.Below), passage.Below)
		if !ok {
			break
		}
		at.Heading = "…" + passage.Below + inner
	}
	p.lines(dim, indent, indent, where())
}
