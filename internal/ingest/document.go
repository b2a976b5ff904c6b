package ingest

import (
	"encoding/json"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// draft is a document as parsed by the reader of one format.
type draft struct {
	id       string // id from the file, or empty
	title    string
	blocks   []passage.Block
	passages []string // if the file contains them
	metadata map[string]any
	encoded  json.RawMessage // metadata, after encode
}

func (d *draft) encode() (err error) {
	if len(d.metadata) == 0 {
		return nil
	}
	if d.encoded, err = json.Marshal(d.metadata); err != nil {
		return unusable(Malformed, "its metadata cannot be kept: %v", err)
	}
	return nil
}

// finish converts d, with its metadata encoded, to a document: with one passage if the text fits, with none if there is
// only a title. It leaves the id empty.
func (d draft) finish(o Options) (doc engine.Document, err error) {
	doc.Title = passage.OneLine(d.title)
	size := 0
	for _, b := range d.blocks {
		for _, row := range b.Rows {
			size += len(row)
		}
	}
	if err := o.limits.check(size); err != nil { // before cutting, which is expensive
		return doc, err
	}
	var parts []passage.Part
	if doc.Text, parts = o.Lengths.Cut(d.blocks); d.passages == nil {
		doc.SetPassages(parts)
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
	doc.Metadata = d.encoded
	if len(doc.Passages) > o.limits.passages {
		return doc, unusable(TooLarge, "it has %d passages, at most %d are possible; divide it", len(doc.Passages), o.limits.passages)
	}
	size = 2*len(doc.Title) + len(doc.Text) + len(doc.Metadata)
	for _, p := range doc.Passages {
		size += len(p.Text) + len(p.Place.Heading)
	}
	return doc, o.limits.check(size)
}

// check reports an error if a document exceeds the size limit in bytes.
func (l limits) check(size int) error {
	if size > l.document {
		return unusable(TooLarge, "title, text, passages and metadata have %d bytes, at most %d are possible; divide it", size, l.document)
	}
	return nil
}

// clipped returns the beginning of a text that is longer than most bytes.
func clipped(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + " …"
	}
	return s
}
