package elastic

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// format is the format of the collections that this version creates and opens.
const format = 1

// The fields by which documents and notes are found. What else there is in a record is only
// kept.
const (
	vectorField   = "vector"          // of the whole document
	passagesField = "passages"        // each with a vector
	passageVector = "passages.vector" // of documents with two or more
	rowsField     = "rows"            // how many vectors there are; notes have none
	valuesField   = "values"          // of the metadata, see values.go
	piecesField   = "pieces"          // of its words, as remote.SpellTokens has them
	noteField     = "note"            // true: it is a note
)

// newIndex returns the request that creates an index. Its mapping describes the collection.
func newIndex(s remote.Identity) clause {
	vector := clause{"type": "dense_vector", "dims": s.Dimension, "index": true, "similarity": "dot_product", "index_options": clause{"type": "hnsw"}}
	return clause{
		"settings": clause{"index": clause{"mapping": clause{"nested_objects": clause{"limit": engine.MaxPassages}}}},
		"mappings": clause{
			"dynamic": false,
			"_meta":   clause{"nsfl": s},
			// The record has them in a compact form.
			"_source": clause{"excludes": []string{vectorField, passagesField, valuesField}},
			"properties": clause{
				vectorField:   vector,
				passagesField: clause{"type": "nested", "dynamic": false, "properties": clause{"vector": vector}},
				rowsField:     clause{"type": "integer"},
				valuesField:   clause{"type": "keyword", "doc_values": false},
				piecesField:   clause{"type": "text", "analyzer": "whitespace", "index_options": "freqs"},
				noteField:     clause{"type": "boolean"},
			},
		},
	}
}

type record struct {
	ID       string           `json:"id,omitempty"`
	Title    string           `json:"title,omitempty"`
	Text     string           `json:"text,omitempty"`
	Metadata string           `json:"metadata,omitempty"` // as it is written
	Recorded []engine.Passage `json:"noted,omitempty"`    // the passages
	Whole    []byte           `json:"whole,omitempty"`    // the vector
	Parts    []byte           `json:"parts,omitempty"`    // those of the passages
	Pieces   string           `json:"pieces,omitempty"`

	Vector   []float32     `json:"vector,omitempty"`
	Passages []passageData `json:"passages,omitempty"`
	Values   []string      `json:"values,omitempty"`
	Rows     int           `json:"rows,omitempty"`

	Note  bool   `json:"note,omitempty"`
	Value string `json:"value,omitempty"` // of the note whose name the id is
}

type passageData struct {
	Vector []float32 `json:"vector"`
}

type managed struct{ dim int }

func (managed) documents() clause { return clause{"exists": clause{"field": rowsField}} }

func (m managed) vectors(passages bool) (string, clause) {
	if passages {
		return passageVector, clause{"range": clause{rowsField: clause{"gt": 1}}}
	}
	return vectorField, m.documents()
}

func (managed) cosine(score float64) float64 { return cosines["dot_product"](score) }

func (managed) rows() string { return rowsField }

func (managed) key(id string) string { return keyOf('d', id) }

// keyOf returns the _id of a document or a note. Ids may be longer than an _id.
func keyOf(kind byte, id string) string {
	sum := sha256.Sum256([]byte(id))
	return string(kind) + hex.EncodeToString(sum[:16])
}

func (managed) ask(r *request, parts engine.Parts) {
	fields := []string{"id"}
	for _, p := range []struct {
		parts engine.Parts
		name  string
	}{
		{engine.Titles, "title"}, {engine.Texts, "text"}, {engine.Metadata, "metadata"},
		{engine.Texts | engine.PassageVectors, "noted"}, // how many passages there are is with their texts
		{engine.Vectors | engine.PassageVectors, "whole"}, {engine.PassageVectors, "parts"},
	} {
		if parts.Has(p.parts) {
			fields = append(fields, p.name)
		}
	}
	r.Source = fields
}

func (m managed) document(h *hit, want remote.Want) (d engine.Document, err error) {
	r, err := h.record()
	if err != nil {
		return d, err
	}
	if r.ID == "" {
		return d, fmt.Errorf("the record %s has no id: something else has changed it, or made it", h.ID)
	}
	d = engine.Document{ID: r.ID, Title: r.Title, Text: r.Text, Metadata: json.RawMessage(r.Metadata), Passages: r.Recorded}
	if !want.Parts.Has(engine.Vectors | engine.PassageVectors) {
		return d, nil
	}
	rows, err := unpack(append(r.Whole, r.Parts...), m.dim)
	if err != nil {
		return d, fmt.Errorf("the record %s has been damaged, or is not of nsfl: %w; store its document again", h.ID, err)
	}
	d.Vector = rows[0]
	if n := len(rows) - 1; want.Parts.Has(engine.PassageVectors) && n != len(d.Passages) && (n > 0 || len(d.Passages) > 1) {
		return d, fmt.Errorf("the document %.64q has %d passages and %d vectors of passages: something else has changed it", d.ID, len(d.Passages), n)
	}
	for i, row := range rows[1:] {
		d.Passages[i].Vector = row
	}
	return d, nil
}

func (h *hit) record() (*record, error) {
	r := new(record)
	if len(bytes.TrimSpace(h.Source)) == 0 {
		return nil, remote.BadAnswer("the document %.64q has no _source", h.ID)
	}
	if err := json.Unmarshal(h.Source, r); err != nil {
		return nil, fmt.Errorf("the record %.64s has been damaged, or is not of nsfl: %w; store its document again", h.ID, err)
	}
	return r, nil
}

func (managed) predicate(p *query.Predicate) bound { return valued(p) }

type managedDriver struct{ *driver }

func (d managedDriver) ReadPieces(ctx context.Context, refs []engine.Ref, visit func(engine.Ref, []uint16) error) error {
	return d.visit(ctx, refs, &request{Source: []string{piecesField}}, func(h *hit) error {
		r, err := h.record()
		if err != nil {
			return err
		}
		pieces, err := remote.ReadTokens(r.Pieces)
		if err != nil {
			return err
		}
		return visit(engine.Ref{Key: h.ID}, pieces)
	})
}

// Matching searches the word pieces by BM25.
func (d managedDriver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) ([]engine.Ref, error) {
	return d.matching(ctx, clause{"match": clause{piecesField: tokensToFind(needles)}}, limit, where)
}

// tokensToFind returns the word pieces of needles as a query for BM25. A document with some pieces
// of a word matches too, and ranks lower.
func tokensToFind(needles []words.Needle) string {
	var tokens []string
	for _, n := range needles {
		for _, form := range n.Forms {
			tokens = append(tokens, remote.SpellTokens(form))
		}
	}
	return strings.Join(tokens, " ")
}
