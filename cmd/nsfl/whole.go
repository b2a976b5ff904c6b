package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/retrieve"
)

// texts prints a document's text or, if only those were requested, the matching passages.
func (p *printer) texts(h *retrieve.Hit, atoms []string) {
	if h.Text != "" {
		p.text(h, h.Text, atoms)
		return
	}
	for _, passage := range passagesOf(h, atoms) {
		p.text(h, passage.Text, atoms)
		p.place(h, passage.Place)
	}
}

// text prints a text line by line, with the matched words marked.
func (p *printer) text(h *retrieve.Hit, text string, atoms []string) {
	const indent = "     "
	marked := marksOf(h, atoms, atoms...)
	for line := range strings.Lines(termsafe.Text(text)) {
		p.lines("", indent, indent, p.mark("", strings.TrimRight(line, "\n"), marked))
	}
}

// fields prints a document's metadata on one line.
func (p *printer) fields(h *retrieve.Hit) {
	var line bytes.Buffer
	if len(h.Metadata) == 0 || json.Compact(&line, h.Metadata) != nil {
		return
	}
	p.lines(dim, "     ", "     ", termsafe.Text(line.String()))
}
