// Package store implements a custom store, here a list in memory.
package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// list is a remote.Driver and a remote.Searcher. The key of a document is its id.
type list struct{ docs []engine.Document }

// Open returns a store of documents. It needs at least one.
func Open(docs []engine.Document, o engine.Options) (*remote.Store, error) {
	dim := len(docs[0].Vector)
	if err := (remote.Identity{Dimension: dim}).Agrees("the list", 0, &o); err != nil {
		return nil, err
	}
	calls := &remote.Calls{Place: "the list", Options: engine.Options{Timeout: time.Minute}}
	return remote.New(&list{docs}, calls, remote.Config{Dimension: dim, Index: remote.Index{Exact: true}, Limits: remote.UsualLimits, Text: true}), nil
}

func (l *list) Size(context.Context) (engine.Size, error) {
	return engine.Size{Documents: len(l.docs), Vectors: len(l.docs), Dimension: len(l.docs[0].Vector)}, nil
}

// Compile leaves filters to remote.Store.
func (l *list) Compile(context.Context, query.Node) (remote.Where, error) {
	return remote.Where{Inexact: true}, nil
}

func (l *list) Nearest(ctx context.Context, v []float32, limit int, _ remote.Where, _ remote.Want, _ bool) (hits []remote.Hit, err error) {
	for i := range l.docs {
		d := &l.docs[i]
		hits = append(hits, remote.Hit{Ref: engine.Ref{Key: d.ID}, Score: dot(d.Vector, v) / math.Sqrt(dot(d.Vector, d.Vector))})
	}
	slices.SortStableFunc(hits, func(a, b remote.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(limit, len(hits))], ctx.Err()
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

func (l *list) Read(ctx context.Context, refs []engine.Ref, _ remote.Want, visit func(*remote.Entry) error) error {
	for _, r := range refs {
		if i := slices.IndexFunc(l.docs, func(d engine.Document) bool { return d.ID == r.Key }); i >= 0 {
			if err := visit(l.entry(i)); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// entry returns a document with a vector of its own, which remote.Store scales.
func (l *list) entry(i int) *remote.Entry {
	e := &remote.Entry{Ref: engine.Ref{Key: l.docs[i].ID}, Document: l.docs[i], Mark: func() string { return strconv.Itoa(i + 1) }}
	e.Vector = slices.Clone(e.Vector)
	return e
}

func (l *list) Page(ctx context.Context, after string, _ int, _ remote.Where, _ remote.Want, visit func(*remote.Entry) (bool, error)) error {
	at, err := strconv.Atoi(cmp.Or(after, "0"))
	if err != nil || at < 0 {
		return remote.BadMark(after)
	}
	for ; at < len(l.docs); at++ {
		if more, err := visit(l.entry(at)); err != nil || !more {
			return err
		}
	}
	return ctx.Err()
}

func (l *list) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	for i := range min(n, len(l.docs)) {
		refs = append(refs, engine.Ref{Key: l.docs[i*len(l.docs)/min(n, len(l.docs))].ID})
	}
	return refs, ctx.Err()
}

func (l *list) Close() error { return nil }
