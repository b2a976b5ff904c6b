package weaviate

import (
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// maxObject is how large a document may be with its vectors and tokens, so that it
// fits into a message.
const maxObject = maxMessage / 2

// row is a document as it is stored.
type row struct {
	*engine.Document
	key    key
	rows   [][]float32 // the vector of the whole, then those of passages that are kept
	tokens []string
}

// bytes is about how large it is in a message.
func (r row) bytes() int {
	n := len(r.ID) + len(r.Title) + len(r.Text) + len(r.Metadata) + len(r.rows)*len(r.rows[0])*4 + len(r.tokens)*18 + 200
	for _, p := range r.Passages {
		n += len(p.Text) + 4
	}
	return n
}

// rowsOf checks documents and scales their vectors.
func rowsOf(docs []engine.Document, dim int) ([]row, error) {
	rows := make([]row, len(docs))
	return rows, index.Check(docs, dim, func(i int) string {
		rows[i].Document = &docs[i]
		return rows[i].fill(dim)
	})
}

// fill reads the metadata and copies the vectors at length 1.
func (r *row) fill(dim int) (problem string) {
	values, err := index.Values(r.Metadata)
	if err != nil {
		return err.Error()
	}
	r.key = keyOf(r.ID)
	r.tokens = append(tokensOf(values), refToken(r.key.ref()))
	whole, err := index.UnitOf(r.Vector, dim)
	if err != nil {
		return "its vector " + err.Error()
	}
	r.rows = [][]float32{whole}
	if len(r.Passages) > 1 {
		for i, p := range r.Passages {
			u, err := index.UnitOf(p.Vector, dim)
			if err != nil {
				return fmt.Sprintf("the vector of passage %d %s", i, err)
			}
			r.rows = append(r.rows, u)
		}
	}
	if n := r.bytes(); n > maxObject {
		return fmt.Sprintf("with its vectors and what its metadata is found by it has %d bytes, at most %d are possible in Weaviate: divide it", n, maxObject)
	}
	return ""
}
