package enginetest

import (
	"fmt"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/query"
)

// testCaptions checks pools of the vectors of an encoder, of which an index finds less than of
// random ones.
func testCaptions(t *testing.T, m Maker) {
	if testing.Short() {
		t.Skip("stores 5,000 captions")
	}
	vectors := frozen.Vectors(t, "coco.docs")
	strings, texts := frozen.Strings(t), frozen.Texts(t, "coco")
	docs := make([]engine.Document, len(vectors))
	for i := range docs {
		docs[i] = engine.Document{ID: m.id(i, fmt.Sprint(i)), Text: texts[i], Vector: vectors[i]}
	}
	s := m.filled(t, len(vectors[0]), docs)
	queries := frozen.Queries(t, "coco")
	if m.Slow {
		queries = queries[:6]
	}
	var pools []pool
	for i := 0; i < len(queries); i += len(queries) / min(len(queries), 24) {
		var near [][]float32
		for leaf := range query.Leaves(must(query.ParseFormula(queries[i].Formula))(t).Root) {
			near = append(near, strings[leaf.(*query.Atom).Text])
		}
		pools = append(pools, pool{near: near, k: []int{100, 1000}[i%2], vectors: near})
	}
	m.checkPools(t, s, docs, pools)
}
