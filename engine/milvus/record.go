package milvus

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
)

// How long keys and versions are: that of a passage is its document's, the version and a
// number.
const (
	keyLength        = 32
	versionLength    = 16
	numberLength     = 4
	passageKeyLength = keyLength + versionLength + numberLength
)

// hashed is the key of what has a name: a hash, so that the order of keys is none at all.
func hashed(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:keyLength/2])
}

// newVersion is one that no other call of Upsert has.
func newVersion() string {
	var b [versionLength / 2]byte
	_, _ = rand.Read(b[:]) // which does not fail
	return hex.EncodeToString(b[:])
}

// keyOf is the key of the document that has an id.
func (s *Store) keyOf(id string) string { return hashed(id) }

// divided is a text in pieces that Milvus takes.
func divided(text string) []string {
	pieces := []string{}
	for len(text) > maxText {
		end := maxText
		for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		pieces, text = append(pieces, text[:end]), text[end:]
	}
	if text == "" {
		return pieces
	}
	return append(pieces, text)
}

// joined is what was divided.
func (r *rows) joined(i int, field string) string { return strings.Join(r.list(i, field), "") }

// packedRows are vectors as a text.
func packedRows(rows [][]float32) string {
	var b []byte
	for _, v := range rows {
		b = append(b, packed(v)...)
	}
	return base64.RawStdEncoding.EncodeToString(b)
}

// unpackedRows reads them.
func unpackedRows(text string, dim int) ([][]float32, error) {
	b, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(b)%(4*dim) != 0 {
		return nil, fmt.Errorf("the vectors of a document's passages are none of dimension %d: something else has changed them", dim)
	}
	out := make([][]float32, len(b)/(4*dim))
	for i := range out {
		out[i] = make([]float32, dim)
		for j := range out[i] {
			out[i][j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*(i*dim+j):]))
		}
		if err := pooling.CheckUnit(out[i], dim); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// wanted are the fields that some parts are made of.
func (s *Store) wanted(parts engine.Parts) []string {
	out := []string{keyField, idField}
	for _, p := range []struct {
		parts engine.Parts
		field string
	}{
		{engine.Titles, titleField}, {engine.Texts, textField}, {engine.Metadata, metadataField},
		{engine.Texts | engine.PassageVectors, passagesField}, // how many there are is with their texts
		{engine.Vectors | engine.PassageVectors, vectorField}, {engine.PassageVectors, vectorsField},
	} {
		if parts.Has(p.parts) {
			out = append(out, p.field)
		}
	}
	return out
}

// compared are all vectors.
func (s *Store) compared() []string { return []string{keyField, vectorField, vectorsField} }

// units are the vectors of entity i: that of the whole, then those of passages.
func (s *Store) units(r *rows, i int) ([][]float32, error) {
	whole := r.vector(i, vectorField)
	if err := pooling.CheckUnit(whole, s.dim); err != nil {
		return nil, err
	}
	passages, err := unpackedRows(r.joined(i, vectorsField), s.dim)
	return append([][]float32{whole}, passages...), err
}

// metadata is that of entity i.
func (s *Store) metadata(r *rows, i int) (json.RawMessage, error) {
	return json.RawMessage(r.joined(i, metadataField)), nil
}

// judged is the metadata.
func (s *Store) judged(query.Node) []string { return []string{metadataField} }

// document is the wanted parts of entity i.
func (s *Store) document(r *rows, i int, parts engine.Parts) (engine.Document, error) {
	stored := pooling.Stored{
		ID: r.text(i, idField), Title: r.joined(i, titleField), Text: r.joined(i, textField), Metadata: r.joined(i, metadataField),
	}
	if text := r.joined(i, passagesField); text != "" {
		if err := json.Unmarshal([]byte(text), &stored.Passages); err != nil {
			return engine.Document{}, fmt.Errorf("the passages of document %.64q: something else has changed them: %w", stored.ID, err)
		}
	}
	if parts.Has(engine.Vectors | engine.PassageVectors) {
		var err error
		if stored.Rows, err = s.units(r, i); err != nil {
			return engine.Document{}, err
		}
	}
	return stored.Document(parts)
}
