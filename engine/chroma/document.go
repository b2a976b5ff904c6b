package chroma

import (
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
)

// row is a document as it is stored.
type row struct {
	*engine.Document
	ref     engine.Ref
	vectors [][]float32 // its own and, where they are kept, those of its passages
	keys    map[string]any
}

// rowsOf checks documents and scales their vectors.
func rowsOf(docs []engine.Document, dim int) ([]row, error) {
	rows := make([]row, len(docs))
	seen := make(map[engine.Ref]int, len(docs))
	return rows, engine.Check(docs, dim, func(i int) string {
		rows[i] = row{Document: &docs[i], ref: refOf(docs[i].ID)}
		if first, ok := seen[rows[i].ref]; ok {
			return sameRef(docs[first].ID)
		}
		seen[rows[i].ref] = i
		return rows[i].fill(dim)
	})
}

// sameRef is the problem of a document whose ref is that of another. Among a million
// documents there are two of that kind with a chance of one in eighteen million.
func sameRef(other string) string {
	return fmt.Sprintf("its id has the same hash as that of the document %q: give it another id", other)
}

func (r *row) refused(i int, problem string) error {
	id := r.ID
	if len(id) > 64 {
		id = id[:64] + "…"
	}
	return engine.BadInput(fmt.Sprintf("document %d of the batch, %q", i, id), "%s", problem)
}

// fill reads the metadata and copies the vectors at length 1.
func (r *row) fill(dim int) (problem string) {
	values, err := engine.Values(r.Metadata)
	if err != nil {
		return err.Error()
	}
	r.keys = keysOf(values)
	whole, err := engine.UnitOf(r.Vector, dim)
	if err != nil {
		return "its vector " + err.Error()
	}
	r.vectors = append(r.vectors, whole)
	if len(r.Passages) < 2 {
		return ""
	}
	for i, p := range r.Passages {
		v, err := engine.UnitOf(p.Vector, dim)
		if err != nil {
			return fmt.Sprintf("the vector of passage %d %s", i, err)
		}
		r.vectors = append(r.vectors, v)
	}
	return ""
}
