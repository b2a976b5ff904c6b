// Package store implements a custom store, here a list in memory.
package store

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

type list struct{ docs []remote.Stored }

// Open returns a store of documents. It needs at least one.
func Open(docs []engine.Document, o engine.Options) (*remote.Store, error) {
	l := &list{}
	for _, d := range docs {
		l.docs = append(l.docs, remote.Stored{ID: d.ID, Title: d.Title, Text: d.Text, Metadata: string(d.Metadata), Rows: [][]float32{d.Vector}})
	}
	if err := (remote.Identity{Dimension: len(docs[0].Vector)}).Agrees("the list", 0, &o); err != nil {
		return nil, err
	}
	return remote.NewSource(context.Background(), l)
}

func (l *list) Size(context.Context) (engine.Size, error) {
	return engine.Size{Documents: len(l.docs), Vectors: len(l.docs), Dimension: len(l.docs[0].Rows[0])}, nil
}

func (l *list) Nearest(ctx context.Context, v []float32, k int, filter query.Node) (ids []string, exact bool, err error) {
	cosines := map[string]float64{}
	for _, d := range l.docs {
		if passes, _ := remote.Passes(filter, []byte(d.Metadata)); passes {
			ids = append(ids, d.ID)
			cosines[d.ID] = vec.Dot64(d.Rows[0], v) / vec.Norm(d.Rows[0])
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(cosines[b], cosines[a]) })
	return ids[:min(k, len(ids))], true, ctx.Err()
}

func (l *list) Read(ctx context.Context, ids []string, parts engine.Parts) ([]engine.Document, error) {
	docs := make([]engine.Document, len(ids))
	for i, id := range ids {
		if at := slices.IndexFunc(l.docs, func(d remote.Stored) bool { return d.ID == id }); at >= 0 {
			docs[i], _ = l.docs[at].Document(parts)
		}
	}
	return docs, ctx.Err()
}

func (l *list) Sample(ctx context.Context, n int) (ids []string, err error) {
	for i := range min(n, len(l.docs)) {
		ids = append(ids, l.docs[i*len(l.docs)/min(n, len(l.docs))].ID)
	}
	return ids, ctx.Err()
}

func (l *list) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	at := 0
	if err := remote.CheckPage(&page, func(mark string) bool { at, err = strconv.Atoi(mark); return err == nil }); err != nil {
		return nil, page.After, err
	}
	for portion := page.Portion(); at < len(l.docs) && len(docs) < page.Limit && portion.Left() > 0; at++ {
		if passes, _ := remote.Passes(page.Filter, []byte(l.docs[at].Metadata)); passes {
			d, _ := l.docs[at].Document(page.Parts)
			docs = append(docs, d)
			portion.Add(d)
		}
	}
	return docs, strconv.Itoa(at), ctx.Err()
}
