package retrieve

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/words"
)

// How much of a text is shown, in bytes. The document has all of it.
const (
	maxTitle   = 1 << 10
	maxSnippet = 8 << 10
)

// leaf is what is kept of a document that was read: what a result shows of it, and what
// tells its copies. A document has up to 16 MB, and a result up to 10,000 of them.
type leaf struct {
	parts engine.Parts // that were read
	id    string       // empty: it was deleted meanwhile
	title string

	vector   []float32
	metadata json.RawMessage
	source   string // the file, where the metadata that is kept may not say it
	best     Snippet
	passages []Snippet
	unwanted []Snippet
	found    [][]words.Found // for each atom
	wording  *words.Wording
}

// leaf keeps what is needed of a document.
func (s *shelf) leaf(d *engine.Document, parts engine.Parts) *leaf {
	l := &leaf{parts: parts, id: d.ID, title: clip(d.Title, maxTitle), vector: d.Vector, metadata: d.Metadata}
	if s.fields != nil {
		l.metadata, l.source = chosen(d.Metadata, s.fields), sourceOf(d.Metadata)
	}
	if d.ID == "" || !parts.Has(engine.Texts) {
		return l
	}
	l.wording = words.NewWording(d.Title, d.Text)
	if parts.Has(engine.PassageVectors) {
		l.best, l.passages, l.unwanted = s.snippets.of(d)
		l.found = s.snippets.found(d)
	}
	return l
}

// clip is a text, or as much of its beginning as there is room for. It does not keep the
// rest of a longer one in memory.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.Clone(text[:most]) + "…"
}
