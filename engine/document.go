package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/passage"
)

// Limits of a document. They keep a record fixed in size and a mistake (a whole
// dump as one document) from filling the collection.
const (
	MaxIDBytes       = 1024
	MaxDocumentBytes = 16 << 20 // title, text, passages and metadata together
	MaxPassages      = 1<<16 - 2
	MaxDimension     = 16384
)

// Parts is a set of parts of documents. The id is always included.
type Parts uint8

// The parts of a document.
const (
	Titles         Parts = 1 << iota
	Texts                // including the texts and places of passages
	Metadata             // as it was given
	Vectors              // of documents as wholes
	PassageVectors       // of passages, which may then lack their texts

	AllParts = Titles | Texts | Metadata | Vectors | PassageVectors
	NoParts  = Parts(0) // the id alone
)

// Has reports whether any of some parts is wanted.
func (p Parts) Has(some Parts) bool { return p&some != 0 }

// Document is a document of a collection.
type Document struct {
	ID       string // not empty, unique in the collection
	Title    string
	Text     string
	Metadata json.RawMessage // a JSON object, or empty
	// Vector is the vector of the whole document. It is stored with length 1.
	Vector []float32
	// Passages are the parts of the document that are compared on their own.
	// The vector of a single passage is neither needed nor kept.
	Passages []Passage
}

// Passage is a part of a document.
type Passage struct {
	Text   string
	Place  passage.Place // where it begins, if known
	Vector []float32
}

// NewPassages are passages without vectors; nil of nil.
func NewPassages(texts []string) []Passage {
	if texts == nil {
		return nil
	}
	out := make([]Passage, len(texts))
	for i, t := range texts {
		out[i].Text = t
	}
	return out
}

// SetPassages replaces the passages of d by parts of a text, without vectors. They are not
// nil.
func (d *Document) SetPassages(parts []passage.Part) {
	d.Passages = make([]Passage, len(parts))
	for i, p := range parts {
		d.Passages[i] = Passage{Text: p.Text, Place: p.Place}
	}
}

// Places returns the places of the passages of d, or nil if none is known.
func (d *Document) Places() []passage.Place {
	if !slices.ContainsFunc(d.Passages, func(p Passage) bool { return p.Place != passage.Place{} }) {
		return nil
	}
	out := make([]passage.Place, len(d.Passages))
	for i, p := range d.Passages {
		out[i] = p.Place
	}
	return out
}

// Segments returns the texts in which terms are looked for, each on its own: the title,
// which may be empty, then the passages or, where they leave much of it out, the text.
func (d *Document) Segments() []string {
	out := []string{d.Title}
	covered := 0
	for _, p := range d.Passages {
		if p.Text != d.Title {
			out = append(out, p.Text)
			covered += len(p.Text)
		}
	}
	if between := 3*len(d.Passages) + len(d.Text)/20; covered+between < len(d.Text) {
		out = append(out, d.Text)
	}
	return out
}

// Rows is the number of vectors that are kept of d.
func (d *Document) Rows() int {
	if len(d.Passages) < 2 {
		return 1
	}
	return 1 + len(d.Passages)
}

// Row is the i-th vector that is kept of d: that of the whole, then those of
// passages.
func (d *Document) Row(i int) []float32 {
	if i == 0 {
		return d.Vector
	}
	return d.Passages[i-1].Vector
}

// Invalid is the *InputError of document i of a batch.
func (d *Document) Invalid(i int, problem string) error {
	what := fmt.Sprintf("document %d of the batch", i)
	if d.ID != "" {
		id := d.ID
		if len(id) > 64 {
			id = id[:64] + "…"
		}
		what += fmt.Sprintf(", %q", id)
	}
	return &InputError{what, problem}
}

// TextProblem returns the reason why no store accepts a document, regardless of its vectors,
// or an empty string.
func (d *Document) TextProblem() string {
	size := len(d.Title) + len(d.Text) + len(d.Metadata)
	for _, p := range d.Passages {
		size += len(p.Text) + len(p.Place.Heading)
	}
	switch {
	case d.ID == "":
		return "the id is empty"
	case len(d.ID) > MaxIDBytes:
		return fmt.Sprintf("the id has %d bytes, at most %d are possible", len(d.ID), MaxIDBytes)
	case size > MaxDocumentBytes:
		return fmt.Sprintf("title, text, passages and metadata have %d bytes, at most %d are possible", size, MaxDocumentBytes)
	case len(d.Passages) > MaxPassages:
		return fmt.Sprintf("there are %d passages, at most %d are possible", len(d.Passages), MaxPassages)
	case !utf8.ValidString(d.ID):
		return "the id is not valid UTF-8"
	case !utf8.ValidString(d.Title):
		return "the title is not valid UTF-8"
	case !utf8.ValidString(d.Text):
		return "the text is not valid UTF-8"
	case !utf8.Valid(d.Metadata):
		return "the metadata is not valid UTF-8"
	}
	if problem := predicate.Problem(d.Metadata); problem != "" {
		return problem
	}
	for i, p := range d.Passages {
		switch {
		case !utf8.ValidString(p.Text):
			return fmt.Sprintf("passage %d is not valid UTF-8", i)
		case !utf8.ValidString(p.Place.Heading):
			return fmt.Sprintf("the heading of passage %d is not valid UTF-8", i)
		case p.Place.Page < 0 || p.Place.Line < 0:
			return fmt.Sprintf("the place of passage %d has a negative number", i)
		case p.Place.Page > math.MaxInt32 || p.Place.Line > math.MaxInt32:
			return fmt.Sprintf("the place of passage %d has a number above %d", i, math.MaxInt32)
		}
	}
	return ""
}

type placed struct {
	Text string `json:"text"`
	passage.Place
}

// MarshalJSON encodes a passage without its vector: as its text or, if its place is known, as
// an object of both.
func (p Passage) MarshalJSON() ([]byte, error) {
	if p.Place == (passage.Place{}) {
		return json.Marshal(p.Text)
	}
	return json.Marshal(placed{p.Text, p.Place})
}

// UnmarshalJSON decodes either form.
func (p *Passage) UnmarshalJSON(raw []byte) error {
	*p = Passage{}
	if !bytes.HasPrefix(raw, []byte("{")) {
		return json.Unmarshal(raw, &p.Text)
	}
	var x placed
	err := json.Unmarshal(raw, &x)
	p.Text, p.Place = x.Text, x.Place
	return err
}
