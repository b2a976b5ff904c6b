package main

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// facets prints a line for each facet.
func (p *printer) facets() {
	if len(p.result.Facets) == 0 {
		return
	}
	p.lines(dim, "", "", "how many documents have which values, and in brackets how many of the first 100 results:")
	for _, f := range p.result.Facets {
		first := p.paint(bold, termsafe.Text(f.Field)) + "  "
		p.lines("", first, strings.Repeat(" ", progress.Columns(f.Field)+2), counted(f))
	}
	fmt.Fprintln(p)
}

// counted formats a facet as one line.
func counted(f *fieldstats.Facet) string {
	var parts []string
	for _, b := range f.Buckets {
		name := b.Value
		switch {
		case b.From != "" && f.Kind == engine.Time:
			name = b.From
		case b.From != "":
			name = b.From + "…" + b.To
		case name == "":
			name = `""`
		}
		parts = append(parts, fmt.Sprintf("%s %d (%d)", clip(termsafe.Line(name), 60), b.Count, b.Found))
	}
	text := strings.Join(parts, ", ")
	if f.Others > 0 {
		text += fmt.Sprintf(", and %d others", f.Others)
	}
	switch {
	case text == "":
		text = "no values"
	case f.Sampled > 0:
		text += fmt.Sprintf("; counted in %d documents, and there are more", f.Sampled)
	case f.Approximate:
		text += "; there are so many that counts may be too low"
	}
	return text
}
