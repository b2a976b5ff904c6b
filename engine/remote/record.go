package remote

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
)

// Document returns the wanted parts of a record, except for its vector: title and text by
// their roles, and the other fields as metadata. Fields hide those of the same name in the
// field that has the role of the metadata.
func (r *Roles) Document(id string, fields map[string]json.RawMessage, want Want) (d engine.Document, err error) {
	d.ID = id
	if want.All().Has(engine.Titles) {
		d.Title = TextOf(fields[r.Title])
	}
	if want.All().Has(engine.Texts) {
		d.Text = TextOf(fields[r.Text])
	}
	if !want.All().Has(engine.Metadata) {
		return d, nil
	}
	all := map[string]json.RawMessage{}
	if below := map[string]json.RawMessage(nil); r.Metadata != "" && json.Unmarshal(fields[r.Metadata], &below) == nil {
		maps.Copy(all, below)
	}
	for name, value := range fields {
		if r.IsMetadata(name) {
			all[name] = value
		}
	}
	if len(all) > 0 {
		d.Metadata, err = Marshal(all)
	}
	return d, err
}

// IsMetadata reports whether a field has no role: it is metadata.
func (r *Roles) IsMetadata(name string) bool {
	return !slices.Contains([]string{r.ID, r.Vector, r.Text, r.Title, r.Metadata}, name)
}

// All returns the wanted parts, with those that a filter needs.
func (w *Want) All() engine.Parts {
	switch {
	case w.Filter == nil:
		return w.Parts
	case query.HasPatterns(w.Filter):
		return w.Parts | engine.Metadata | engine.Titles | engine.Texts
	}
	return w.Parts | engine.Metadata
}

// Fields returns the names that the fields of a filter may stand for: a.b may be the field b
// of an object a.
func (w *Want) Fields() map[string]bool {
	names := map[string]bool{}
	if w.Filter == nil {
		return names
	}
	for leaf := range query.Leaves(w.Filter) {
		if p, ok := leaf.(*query.Predicate); ok {
			names[p.Field] = true
			for at, c := range p.Field {
				if c == '.' {
					names[p.Field[:at]] = true
				}
			}
		}
	}
	return names
}

// TextOf returns a JSON value as a text: the texts of a list are on lines of their own.
func TextOf(raw json.RawMessage) string {
	var value any
	if len(raw) == 0 || json.Unmarshal(raw, &value) != nil {
		return ""
	}
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		texts := make([]string, len(v))
		for i, x := range v {
			texts[i] = fmt.Sprint(x)
		}
		return strings.Join(texts, "\n")
	}
	return string(raw) // a number, a truth value or an object
}

// PackVector encodes a vector as its components in little-endian order.
func PackVector(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// UnpackVector decodes the result of PackVector.
func UnpackVector(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// Units returns unit copies of the stored vectors of a document: the vector of the whole,
// then the vectors of passages.
func Units(d *engine.Document, dim int) (rows [][]float32, problem string) {
	for i := range d.Rows() {
		u, err := storekit.UnitOf(d.Row(i), dim)
		if err != nil {
			return nil, storekit.RowName(i) + " " + err.Error()
		}
		rows = append(rows, u)
	}
	return rows, ""
}

// CheckUnit returns an error for a vector that this package has not stored.
func CheckUnit(v []float32, dim int) error {
	if len(v) != dim {
		return fmt.Errorf("a stored vector has dimension %d, the collection has %d", len(v), dim)
	}
	const slack = 1e-3
	if n := vec.Norm(v); !(math.Abs(n-1) < slack) { // NaN neither
		return fmt.Errorf("a stored vector has the length %g, not 1: something else has changed it, and storing the documents again puts it right", n)
	}
	return nil
}

// Similarity returns the similarity of a document with these vectors to a unit vector, as
// package engine defines it.
func Similarity(rows [][]float32, v []float32) float32 {
	whole := vec.Dot(rows[0], v)
	if len(rows) == 1 {
		return whole
	}
	best := vec.Dot(rows[1], v)
	for _, row := range rows[2:] {
		best = max(best, vec.Dot(row, v))
	}
	return (whole + best) / 2
}

// long are the parts that may be long: few documents are requested at once with them.
const long = engine.Titles | engine.Texts | engine.Metadata | engine.PassageVectors

// The number of documents with long parts that are requested at once: a few, then as many
// as should fill a portion, judging by those before.
const firstPiece, largestPiece = 16, 512

// ReadWithin reads documents piece by piece until the portion is full. The function read returns
// one document for each that it is given.
func ReadWithin[T any](portion *storekit.ReadBudget, wanted []T, parts engine.Parts, read func([]T) ([]engine.Document, error)) (docs []engine.Document, err error) {
	piece := len(wanted)
	if parts.Has(long) {
		piece = firstPiece
	}
	all := portion.Left()
	for full := false; len(docs) < len(wanted) && !full; {
		more, err := read(wanted[len(docs):min(len(docs)+piece, len(wanted))])
		if err != nil {
			return nil, err
		}
		docs, full = append(docs, more...), portion.Add(more...)
		left := max(0, portion.Left())
		piece = min(4*piece, largestPiece, 1+left*len(docs)/max(1, all-left))
	}
	return docs, nil
}
