package ingest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// draft is a document as a reader of one format sees it.
type draft struct {
	id       string // its own, or empty
	title    string
	blocks   []passage.Block
	passages []string // where the file has them ready
	metadata map[string]any
}

// finish makes a document of d: one passage if the text fits, none if there is only
// a title. The id is still missing. A problem says why there is none.
func (d draft) finish(o Options) (doc engine.Document, kind Kind, problem string) {
	doc.Title = passage.OneLine(d.title)
	tooLarge := func(size int) (engine.Document, Kind, string) {
		return doc, TooLarge, fmt.Sprintf("title, text, passages and metadata have %d bytes, at most %d are possible; divide it", size, o.limits.document)
	}
	size := 0
	for _, b := range d.blocks {
		for _, row := range b.Rows {
			size += len(row)
		}
	}
	if size > o.limits.document { // before the work of cutting it
		return tooLarge(size)
	}
	text, passages := passage.Lengths{Min: o.limits.minWords, Max: o.MaxWords}.Cut(d.blocks)
	if d.passages != nil {
		passages = nil
		for _, p := range d.passages {
			if p = passage.OneLine(p); p != "" {
				passages = append(passages, p)
			}
		}
		if text == "" {
			text = strings.Join(passages, "\n\n")
		}
	}
	doc.Text, doc.Passages = text, engine.NewPassages(append([]string{}, passages...))
	if doc.Text == "" && doc.Title == "" {
		return doc, Empty, "it has neither a title nor text"
	}
	if len(d.metadata) > 0 {
		metadata, err := json.Marshal(d.metadata)
		if err != nil {
			return doc, Malformed, fmt.Sprintf("its metadata cannot be kept: %v", err)
		}
		doc.Metadata = metadata
	}
	if len(doc.Passages) > o.limits.passages {
		return doc, TooLarge, fmt.Sprintf("it has %d passages, at most %d are possible; divide it", len(doc.Passages), o.limits.passages)
	}
	size = 2*len(doc.Title) + len(doc.Text) + len(doc.Metadata)
	for _, p := range doc.Passages {
		size += len(p.Text)
	}
	if size > o.limits.document {
		return tooLarge(size)
	}
	return doc, "", ""
}
