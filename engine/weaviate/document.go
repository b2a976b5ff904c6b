package weaviate

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// maxObject is how large a document may be with its vectors, tokens and pieces, so that
// it fits into a message.
const maxObject = maxMessage / 2

// row is a document as it is stored.
type row struct {
	*engine.Document
	key    key
	rows   [][]float32 // the vector of the whole, then those of passages that are kept
	tokens []string
	pieces string // of its words
	places string // of its passages, as JSON
}

// bytes is about how large it is in a message.
func (r row) bytes() int {
	n := len(r.ID) + len(r.Title) + len(r.Text) + len(r.Metadata) + len(r.rows)*len(r.rows[0])*4 + len(r.tokens)*18 + len(r.pieces) + len(r.places) + 200
	for _, p := range r.Passages {
		n += len(p.Text) + 4
	}
	return n
}

// rowsOf checks documents, scales their vectors and spells their words.
func rowsOf(ctx context.Context, docs []engine.Document, dim int) ([]row, error) {
	if err := engine.Check(docs, dim, nil); err != nil { // before anything long is read
		return nil, err
	}
	spelled, err := pooling.Spell(ctx, docs)
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(docs))
	return rows, engine.Check(docs, dim, func(i int) (problem string) {
		values, err := engine.Values(docs[i].Metadata)
		if err != nil {
			return err.Error()
		}
		r := &rows[i]
		*r = row{Document: &docs[i], key: keyOf(docs[i].ID), tokens: tokensOf(values), pieces: pooling.SpellTokens(spelled[i])}
		if r.places, err = placesOf(docs[i].Passages); err != nil {
			return err.Error()
		}
		if r.rows, problem = pooling.Units(&docs[i], dim); problem != "" {
			return problem
		}
		if n := r.bytes(); n > maxObject {
			return fmt.Sprintf("with its vectors and what its metadata and its words are found by it has %d bytes, at most %d are possible in Weaviate: divide it", n, maxObject)
		}
		return ""
	})
}
