package milvus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// maxEntity is how large a document may be with its vectors and words, so that it fits into
// a message.
const maxEntity = maxMessage / 2

// row is a document as it is stored.
type row struct {
	*engine.Document
	key, version             string
	units                    [][]float32 // the vector of the whole, then those of passages that are kept
	pieces                   []uint16
	bounds                   []byte
	packed, passages, spoken string // vectors and texts of passages, pieces
}

// bytes is about how large it is in a message, with its passages.
func (r *row) bytes() int {
	return len(r.ID) + len(r.Title) + len(r.Text) + len(r.Metadata) + len(r.packed) + len(r.passages) + len(r.spoken) + 10*len(r.pieces) +
		len(r.units)*(4*len(r.units[0])+len(r.bounds)+200)
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
	version, rows := newVersion(), make([]row, len(docs))
	return rows, engine.Check(docs, dim, func(i int) (problem string) {
		values, err := engine.Values(docs[i].Metadata)
		if err != nil {
			return err.Error()
		}
		r := &rows[i]
		*r = row{Document: &docs[i], key: hashed(docs[i].ID), version: version, pieces: spelled[i], spoken: pooling.SpellTokens(spelled[i])}
		if r.units, problem = pooling.Units(&docs[i], dim); problem != "" {
			return problem
		}
		r.packed = packedRows(r.units[1:])
		if r.bounds, err = boundsOf(values); err == nil && len(docs[i].Passages) > 0 {
			var noted []byte
			noted, err = json.Marshal(engine.Note(docs[i].Passages))
			r.passages = string(noted)
		}
		if err != nil {
			return err.Error()
		}
		if n := r.bytes(); n > maxEntity {
			return fmt.Sprintf("with its vectors and words it has %d bytes, at most %d are possible in Milvus: divide it", n, maxEntity)
		}
		return ""
	})
}

// partsOf are parts of rows, one for each.
func partsOf[T any](rows []row, part func(*row) T) []T {
	out := make([]T, len(rows))
	for i := range rows {
		out[i] = part(&rows[i])
	}
	return out
}
