package vectors

import (
	"encoding/json"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// Row is a vector and its document. Missing parts are empty. Either all passages of a row have
// vectors or none has.
type Row = engine.Document

// parts are the parts of a row.
type parts struct {
	Row
	texts   []string
	vectors [][]float32     // of the texts: none, or as many
	places  []passage.Place // likewise
	meta    metadata
}

// content is the content of a field or column for a row.
type content interface {
	id() (string, error)
	text() (string, error)
	texts() ([]string, error)
	vector() ([]float32, error)
	vectors() ([][]float32, error)
	places() ([]passage.Place, error)
	object() (json.RawMessage, error)
}

// set stores a known field in the row.
func (p *parts) set(r role, c content) (err error) {
	switch r {
	case roleID:
		p.ID, err = c.id()
	case roleTitle:
		p.Title, err = c.text()
	case roleText:
		p.Text, err = c.text()
	case rolePassages:
		p.texts, err = c.texts()
	case rolePassageVectors:
		p.vectors, err = c.vectors()
	case rolePassagePlaces:
		p.places, err = c.places()
	case roleMetadata:
		p.meta.object, err = c.object()
	case roleVector:
		p.Vector, err = c.vector()
	}
	return err
}

func (p *parts) join() (row Row, err error) {
	if len(p.vectors) > 0 && len(p.vectors) != len(p.texts) {
		return row, bad(ErrDimension, "there are %d passages and %d vectors of passages; write one for each, or none", len(p.texts), len(p.vectors))
	}
	if len(p.places) > 0 && len(p.places) != len(p.texts) {
		return row, bad(ErrFormat, "there are %d passages and %d places of passages; write one for each, or none", len(p.texts), len(p.places))
	}
	row = p.Row
	for i, text := range p.texts {
		row.Passages = append(row.Passages, engine.Passage{Text: text})
		if len(p.vectors) > 0 {
			row.Passages[i].Vector = p.vectors[i]
		}
		if len(p.places) > 0 {
			row.Passages[i].Place = p.places[i]
		}
	}
	if row.Metadata, err = p.meta.join(); err != nil {
		return Row{}, bad(ErrFormat, "the metadata cannot be read").because(err)
	}
	return row, nil
}

// shape describes what all rows of a file have in common.
type shape struct {
	dim    int  // of whatever vectors there are; 0: none was seen yet
	vector bool // every row has one of its own; otherwise none has
}

// shapeOf returns the shape of a file with row as its first.
func shapeOf(row *Row) shape {
	s := shape{dim: len(row.Vector), vector: len(row.Vector) > 0}
	s.passages(row)
	return s
}

// passages takes the dimension from a passage if no vector came before.
func (s *shape) passages(row *Row) {
	for i := range row.Passages {
		if s.dim == 0 {
			s.dim = len(row.Passages[i].Vector)
		}
	}
}

// check returns an error for an invalid row. Errors after which a reader cannot continue come
// first.
func (s *shape) check(row *Row) error {
	s.passages(row)
	switch n := len(row.Vector); {
	case n == 0 && s.vector:
		return bad(ErrDimension, "it has no vector, the rows before it have; give all of them one, or none")
	case n > 0 && !s.vector:
		return bad(ErrDimension, "it has a vector, the rows before it have none; give all of them one, or none")
	case n > 0 && n != s.dim:
		return bad(ErrDimension, "its vector has dimension %d, those before it have %d; all rows must come from one model", n, s.dim)
	}
	for i, p := range row.Passages {
		if n := len(p.Vector); (n > 0) != (len(row.Passages[0].Vector) > 0) {
			return bad(ErrDimension, "only some of its passages have a vector; give all of them one, or none")
		} else if n > 0 && n != s.dim {
			return bad(ErrDimension, "the vector of passage %d has dimension %d, not %d as others in the file", i, n, s.dim)
		}
	}
	if s.vector {
		if err := checkValues("its vector", row.Vector); err != nil {
			return err
		}
	}
	for _, p := range row.Passages {
		if len(p.Vector) > 0 {
			if err := checkValues("the vector of a passage", p.Vector); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkValues works on bits: an exponent of ones means NaN or infinite, and no bits other than
// the sign mean zero.
func checkValues(what string, v []float32) error {
	const exponent, sign = 0x7f800000, 0x80000000
	var any uint32
	for i, x := range v {
		bits := math.Float32bits(x)
		if bits&exponent == exponent {
			return bad(ErrNotFinite, "component %d of %s is NaN, infinite or too large for float32; encode that document again, or leave the row out", i, what)
		}
		any |= bits &^ sign
	}
	if any == 0 {
		return bad(ErrZero, "%s is zero and has no direction; encode that document again, or leave the row out", what)
	}
	return nil
}
