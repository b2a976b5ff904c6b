package milvus

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// lists fetches the lists of each of Near, of documents and of passages, and tells whether
// they are enough.
func (f *search) lists(ctx context.Context, limit int) (pooling.State, error) {
	tables := []*table{&f.table, f.passages}
	if f.passages == nil {
		tables = tables[:1]
	}
	lists := make([][]hit, len(f.Near)*len(tables))
	err := each(ctx, len(lists), func(ctx context.Context, i int) (err error) {
		v := packed(f.Vectors[f.Near[i/len(tables)]])
		lists[i], err = tables[i%len(tables)].search(ctx, f.index.target(f.vector), wire.DataType_FloatVector, v, f.where.text, limit)
		return err
	})
	if err != nil {
		return pooling.Short, err
	}
	if err := f.fetch(ctx, f.unknown(lists)); err != nil {
		return pooling.Short, err
	}
	lacking := false
	for i, list := range lists {
		end, err := f.end(ctx, tables[i%len(tables)], list, limit)
		if err != nil {
			return pooling.Short, err
		}
		f.Ends[i/len(tables)][i%len(tables)] = end
		lacking = lacking || end == unknownEnd
	}
	for j := range f.Ends {
		if len(tables) == 1 {
			f.Ends[j][1].All = true
		}
	}
	// An index that keeps less of vectors than they have is off by as much as it is seen to
	// be off, and perhaps more.
	off := f.off(lists, len(tables))
	f.Slack = 1e-6 + 2*off
	const uneven = 0.01
	if off > uneven && f.index.metric != cosine {
		f.uneven.Store(true)
		return pooling.Short, nil
	}
	if lacking {
		return pooling.Short, nil
	}
	return f.State(0), nil
}

// documentIn is the key of the document that a key leads to.
func (f *search) documentIn(key string) string {
	if f.passages == nil {
		return key
	}
	return key[:min(len(key), keyLength)]
}

// unknown are the keys of documents that lists lead to and that are not read yet.
func (f *search) unknown(lists [][]hit) (keys []string) {
	for _, list := range lists {
		for _, h := range list {
			if key := f.documentIn(h.key); f.closes[key] == nil {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// unknownEnd is that of a list that lacks some that there are, whatever they are.
var unknownEnd = pooling.End{Last: 1}

// end is how a list ends.
func (f *search) end(ctx context.Context, t *table, list []hit, limit int) (pooling.End, error) {
	if len(list) >= limit {
		return pooling.End{Last: f.index.cosine(list[len(list)-1].score)}, nil
	}
	n, err := t.count(ctx, f.where.text)
	if err != nil || len(list) < n {
		return unknownEnd, err
	}
	return pooling.End{Last: -1, All: true}, nil
}

// off is how far scores of documents are from their similarities, at most.
func (f *search) off(lists [][]hit, tables int) (most float64) {
	for i := 0; i < len(lists); i += tables {
		for _, h := range lists[i] {
			if similarities := f.closes[h.key]; similarities != nil {
				most = max(most, math.Abs(f.index.cosine(h.score)-float64(similarities[f.Near[i/tables]])))
			}
		}
	}
	return most
}
