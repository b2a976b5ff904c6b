package postgres

import (
	"errors"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/vec"
)

// row is a document as it is stored.
type row struct {
	*engine.Document
	vector   vector
	passages []vector // nil where they have none that are kept
	entries  []index.Value
}

// vectors is how many are kept of it.
func (r *row) vectors() int { return 1 + len(r.passages) }

// rowsOf checks documents as package index does, and scales their vectors.
func rowsOf(docs []engine.Document, dim int) ([]row, error) {
	rows := make([]row, len(docs))
	seen := make(map[string]int, len(docs))
	for i := range docs {
		d := &docs[i]
		rows[i].Document = d
		problem := problemOf(d)
		if first, ok := seen[d.ID]; ok && problem == "" {
			problem = fmt.Sprintf("document %d of the batch has the same id", first)
		}
		seen[d.ID] = i
		if problem == "" {
			problem = rows[i].fill(dim)
		}
		if problem != "" {
			return nil, &index.InputError{What: nameOf(i, d.ID), Problem: problem}
		}
	}
	return rows, nil
}

func nameOf(i int, id string) string {
	if len(id) > 64 {
		id = id[:64] + "…"
	}
	return fmt.Sprintf("document %d of the batch, %q", i, id)
}

func problemOf(d *engine.Document) string {
	size := len(d.Title) + len(d.Text) + len(d.Metadata)
	texts := map[string]string{"the id": d.ID, "the title": d.Title, "the text": d.Text, "the metadata": string(d.Metadata)}
	for i, p := range d.Passages {
		size += len(p.Text)
		if !storable(p.Text) {
			texts[fmt.Sprintf("passage %d", i)] = p.Text
		}
	}
	switch {
	case d.ID == "":
		return "the id is empty"
	case len(d.ID) > index.MaxIDBytes:
		return fmt.Sprintf("the id has %d bytes, at most %d are possible", len(d.ID), index.MaxIDBytes)
	case size > index.MaxDocumentBytes:
		return fmt.Sprintf("title, text, passages and metadata have %d bytes, at most %d are possible", size, index.MaxDocumentBytes)
	case len(d.Passages) > index.MaxPassages:
		return fmt.Sprintf("there are %d passages, at most %d are possible", len(d.Passages), index.MaxPassages)
	}
	for name, text := range texts {
		if !storable(text) {
			return name + " is not valid UTF-8 or has a zero byte, which PostgreSQL cannot store"
		}
	}
	return ""
}

// fill reads the metadata and copies the vectors at length 1.
func (r *row) fill(dim int) (problem string) {
	var err error
	if r.entries, err = valuesOf(r.Metadata); err != nil {
		return err.Error()
	}
	if r.vector, err = unit(r.Vector, dim); err != nil {
		return "its vector " + err.Error()
	}
	if len(r.Passages) < 2 {
		return ""
	}
	r.passages = make([]vector, len(r.Passages))
	for i, p := range r.Passages {
		if r.passages[i], err = unit(p.Vector, dim); err != nil {
			return fmt.Sprintf("the vector of passage %d %s", i, err)
		}
	}
	return ""
}

// unit is a copy of v of length 1.
func unit(v []float32, dim int) (vector, error) {
	if len(v) != dim {
		return nil, fmt.Errorf("has dimension %d, the collection has %d", len(v), dim)
	}
	u := append(vector(nil), v...)
	switch err := vec.Normalize(u); {
	case errors.Is(err, vec.ErrZero):
		return nil, errors.New("is zero and has no direction")
	case errors.Is(err, vec.ErrNotFinite):
		return nil, errors.New("has a component that is NaN or infinite")
	case err != nil:
		return nil, err
	}
	return u, nil
}

// units are query vectors at length 1.
func units(vectors [][]float32, dim int) ([]vector, error) {
	if len(vectors) == 0 {
		return nil, &index.InputError{What: "query", Problem: "there is no vector"}
	}
	out := make([]vector, len(vectors))
	for i, v := range vectors {
		var err error
		if out[i], err = unit(v, dim); err != nil {
			return nil, &index.InputError{What: fmt.Sprintf("query vector %d", i), Problem: "it " + err.Error()}
		}
	}
	return out, nil
}
