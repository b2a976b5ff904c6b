package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is how an audit is written.
type Format uint8

const (
	Text     Format = iota // for a terminal of 110 columns
	Markdown               // for a document
	JSON                   // all pairs and labels, in full precision
	HTML                   // a page that needs nothing beside itself
)

var formatNames = [...]string{"text", "markdown", "json", "html"}

func (f Format) String() string { return formatNames[f] }

// FormatNames are the formats there are.
func FormatNames() []string { return slices.Clone(formatNames[:]) }

// ParseFormat is the format of a name.
func ParseFormat(s string) (Format, error) {
	if i := slices.Index(formatNames[:], s); i >= 0 {
		return Format(i), nil
	}
	return 0, fmt.Errorf("unknown format %q: it is one of %s", s, strings.Join(formatNames[:], ", "))
}

// Write writes the audit.
func (a *Audit) Write(w io.Writer, f Format) error {
	switch f {
	case Markdown:
		return a.document().markdown(w)
	case JSON:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false) // it is read by programs, and by people
		return e.Encode(a)
	case HTML:
		return a.document().html(w)
	}
	return a.document().text(w)
}
