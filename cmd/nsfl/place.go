package main

import (
	"strings"

	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/retrieve"
)

// place says where a passage stands: the file, the headings, the page and the line. Of
// what has no room on a line the outermost headings and folders are left out.
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
