package remote

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

// Words are those of a store that keeps none beside its texts, which are cut into pieces
// when they are needed. It is an engine.Worded; Words{} of a store without texts is none.
type Words struct {
	Store engine.Store
	// Search names up to n documents that pass a filter and have some of the words in
	// their texts, the best by the engine's own full text first. Each word is given as the
	// ways to write it. Nil: the engine finds nothing by words.
	Search func(ctx context.Context, wanted [][]string, filter query.Node, n int) ([]engine.Ref, error)
}

// most is how many texts are read for one search: they go over a network, and are cut here.
const most = 1000

// Statistics are of a sample.
func (w Words) Statistics(ctx context.Context) (*words.Statistics, error) {
	refs, err := w.Store.Sample(ctx, Counted)
	if err != nil {
		return nil, err
	}
	h, err := w.hear(ctx, refs)
	if err != nil {
		return nil, err
	}
	return h.Statistics(), nil
}

// Said reads the texts that the engine finds by words.
func (w Words) Said(ctx context.Context, q *words.Query, filter query.Node, wanted []engine.Wanted) (*engine.Shares, error) {
	if err := CheckFilter(filter); err != nil {
		return nil, err
	}
	needles := q.Needles()
	if w.Search == nil || len(needles) == 0 {
		return &engine.Shares{Atoms: make([][]float32, q.Atoms())}, ctx.Err()
	}
	var spelled [][]string
	for _, n := range needles {
		spelled = append(spelled, n.Written)
	}
	refs, err := w.Search(ctx, spelled, filter, most)
	if err != nil {
		return nil, err
	}
	h, err := w.hear(ctx, refs)
	if err != nil {
		return nil, err
	}
	return h.Shares(q, wanted), nil
}

// SaidBy reads the texts of some documents.
func (w Words) SaidBy(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	h, err := w.hear(ctx, refs)
	if err != nil {
		return nil, err
	}
	return h.SharesOf(q, refs), nil
}

// hear reads texts and cuts them into pieces.
func (w Words) hear(ctx context.Context, refs []engine.Ref) (*Heard, error) {
	h := &Heard{}
	for some := range slices.Chunk(refs, 256) {
		var docs []engine.Document
		err := engine.Visit(ctx, w.Store, some, engine.Titles|engine.Texts, func(_ int, d *engine.Document) { docs = append(docs, *d) })
		if err != nil {
			return nil, err
		}
		pieces, err := Spell(ctx, docs)
		if err != nil {
			return nil, err
		}
		for i, ref := range some {
			if docs[i].ID != "" {
				h.Add(ref, pieces[i])
			}
		}
	}
	return h, nil
}
