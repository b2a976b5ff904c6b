package retrieve

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
)

// Limits on displayed text, in bytes.
const (
	maxTitle   = 1 << 10
	maxSnippet = 8 << 10
)

// loadedDoc is the part of a document that is kept after reading: the content of its hit and the
// data to recognize its copies. Documents can have 16 MB, and a result up to 10,000 of them.
type loadedDoc struct {
	parts engine.Parts // the parts that were read
	id    string       // empty if the document was deleted in the meantime
	title string

	vector   []float32
	metadata json.RawMessage
	source   string // the source file, in case metadata lacks it
	best     Snippet
	passages []Snippet
	unwanted []Snippet
	found    [][]words.Found // by atom
	patterns []PatternMatch
	wording  *words.Wording
}

// load extracts the parts of a document to keep.
func (s *docCache) load(d *engine.Document, parts engine.Parts) *loadedDoc {
	l := &loadedDoc{parts: parts, id: d.ID, title: clip(d.Title, maxTitle), vector: d.Vector, metadata: d.Metadata}
	if s.fields != nil {
		l.metadata, l.source = chosen(d.Metadata, s.fields), sourceOf(d.Metadata)
	}
	if d.ID == "" || !parts.Has(engine.Texts) {
		return l
	}
	l.wording = words.NewWording(d.Title, d.Text)
	if parts.Has(engine.PassageVectors) {
		l.best, l.passages, l.unwanted = s.snippets.of(d)
		l.found, l.patterns = s.snippets.found(d), s.snippets.matched(d)
	}
	return l
}

// clip shortens text to at most most bytes, plus an ellipsis. The result does not retain the
// memory of a longer text.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.Clone(text[:most]) + "…"
}
