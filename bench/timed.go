//go:build linux

package main

import (
	"context"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

// storeTimes are what a store took for the parts of a search.
type storeTimes struct {
	Size   time.Duration // to say how much it holds, which a search asks first
	Engine time.Duration // to find candidates, and to compare them with the vectors of the formula
	Gather time.Duration // to compare those that words have found
	Read   time.Duration // to read documents
	CPU    time.Duration // this process's processor time in all of that
}

// watch begins to measure, and returns what ends it and adds to one of the times.
func (t *storeTimes) watch() func(to *time.Duration) {
	start, used := time.Now(), own()
	return func(to *time.Duration) {
		*to += time.Since(start)
		t.CPU += own() - used
	}
}

// timed is a store that keeps time. It is for one search at a time.
type timed struct {
	engine.Store
	spent storeTimes
}

// timing puts a store under a watch.
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

// timedEmbedded can scan.
type timedEmbedded struct {
	timed
	inner *index.Collection
}

var _ engine.Scanner = (*timedEmbedded)(nil)

// Scan is one step.
func (t *timedEmbedded) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	defer t.spent.watch()(&t.spent.Engine)
	return t.inner.Scan(ctx, vectors, filter)
}
