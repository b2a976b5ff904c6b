//go:build linux

package main

import (
	"context"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

// storeTimes are the durations of a store's parts of a search.
type storeTimes struct {
	Size   time.Duration // Size, which a search calls first
	Engine time.Duration // finding candidates and comparing them with the formula's vectors
	Gather time.Duration // comparing candidates found by words
	Read   time.Duration // reading documents
	CPU    time.Duration // this process's processor time in all of these
}

// watch starts a measurement. The returned function ends it and adds it to a time.
func (t *storeTimes) watch() func(to *time.Duration) {
	start, used := time.Now(), own()
	return func(to *time.Duration) {
		*to += time.Since(start)
		t.CPU += own() - used
	}
}

// timed is a store that measures its calls, for one search at a time.
type timed struct {
	engine.Store
	spent storeTimes
}

// timing wraps a store to measure its calls.
func timing(s engine.Store) (engine.Store, *storeTimes) {
	if e, ok := s.(*index.Collection); ok {
		t := &timedEmbedded{timed{Store: e}, e}
		return t, &t.spent
	}
	t := &timed{Store: s}
	return t, &t.spent
}

func (t *timed) Size(ctx context.Context) (engine.Size, error) {
	defer t.spent.watch()(&t.spent.Size)
	return t.Store.Size(ctx)
}

func (t *timed) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	defer t.spent.watch()(&t.spent.Engine)
	return t.Store.Pool(ctx, near, k, filter, vectors)
}

func (t *timed) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	defer t.spent.watch()(&t.spent.Gather)
	return t.Store.Compare(ctx, refs, vectors)
}

func (t *timed) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	defer t.spent.watch()(&t.spent.Read)
	return t.Store.Documents(ctx, refs, parts)
}

// timedEmbedded is timed for a store that can scan.
type timedEmbedded struct {
	timed
	inner *index.Collection
}

var _ engine.Scanner = (*timedEmbedded)(nil)

// Scan counts as one step of the engine.
func (t *timedEmbedded) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	defer t.spent.watch()(&t.spent.Engine)
	return t.inner.Scan(ctx, vectors, filter)
}
