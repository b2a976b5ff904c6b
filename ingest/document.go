package ingest

import (
	"encoding/json"
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
// a title. The id is still missing.
func (d draft) finish(o Options) (doc engine.Document, err error) {
	doc.Title = passage.OneLine(d.title)
	size := 0
	for _, b := range d.blocks {
		for _, row := range b.Rows {
			size += len(row)
		}
	}
	if err := o.limits.check(size); err != nil { // before the work of cutting it
		return doc, err
	}
	var parts []passage.Part
	if doc.Text, parts = o.Lengths.Cut(d.blocks); d.passages == nil {
		doc.Passages = engine.PassagesOf(parts)
		for i := range doc.Passages {
			doc.Passages[i].Place = doc.Passages[i].Place.Without(doc.Title)
		}
	} else {
		given := []string{}
		for _, p := range d.passages {
			if p = passage.OneLine(p); p != "" {
				given = append(given, p)
			}
		}
		if doc.Passages = engine.NewPassages(given); doc.Text == "" {
			doc.Text = strings.Join(given, "\n\n")
		}
	}
	if doc.Text == "" && doc.Title == "" {
		return doc, unusable(Empty, "it has neither a title nor text")
	}
	if len(d.metadata) > 0 {
		if doc.Metadata, err = json.Marshal(d.metadata); err != nil {
			return doc, unusable(Malformed, "its metadata cannot be kept: %v", err)
		}
	}
	if len(doc.Passages) > o.limits.passages {
		return doc, unusable(TooLarge, "it has %d passages, at most %d are possible; divide it", len(doc.Passages), o.limits.passages)
	}
	size = 2*len(doc.Title) + len(doc.Text) + len(doc.Metadata)
	for _, p := range doc.Passages {
		size += len(p.Text) + len(p.Place.Heading)
	}
	return doc, o.limits.check(size)
}

// check is about the bytes of a document.
func (l limits) check(size int) error {
	if size > l.document {
		return unusable(TooLarge, "title, text, passages and metadata have %d bytes, at most %d are possible; divide it", size, l.document)
	}
	return nil
}
