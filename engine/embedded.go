package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

// Embedded is a collection of the package index as a store. It can scan and be
// written to.
type Embedded struct{ *index.Collection }

var (
	_ Collection = Embedded{}
	_ Scanner    = Embedded{}
	_ Sampler    = Embedded{}
)

// OpenDirectory opens the collection in a directory, and makes it where there is
// none, a dimension is given, and it is not for reading only. A directory that has
// something else in it is left as it is.
func OpenDirectory(ctx context.Context, dir string, o index.Options) (Embedded, error) {
	c, err := index.Open(ctx, dir, o)
	if errors.Is(err, index.ErrNotCollection) && !o.ReadOnly && o.Dimension > 0 {
		if err := vacant(dir); err != nil {
			return Embedded{}, err
		}
		c, err = index.Create(ctx, dir, o)
	}
	return Embedded{c}, err
}

// vacant is an error if a directory has something in it.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", dir, err)
	}
	return fmt.Errorf("opening %s: it is not a collection, and there are other files in it; name an empty or a new directory", dir)
}

// Size is that of the collection now.
func (e Embedded) Size(ctx context.Context) (Size, error) {
	s, err := e.Stats(ctx)
	return Size{Documents: s.Documents, Vectors: s.Vectors, Dimension: s.Dimension}, err
}

// Pool goes by codes and rescores exactly, as index.Collection.TopK says.
func (e Embedded) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*Columns, error) {
	lists, err := e.TopK(ctx, near, k, filter)
	if err != nil {
		return nil, err
	}
	var pool []index.Ordinal
	seen := make(map[index.Ordinal]bool, len(lists[0]))
	for _, hits := range lists {
		for _, h := range hits {
			if !seen[h.Ordinal] {
				seen[h.Ordinal] = true
				pool = append(pool, h.Ordinal)
			}
		}
	}
	columns, err := e.Gather(ctx, vectors, pool)
	if err != nil {
		return nil, err
	}
	return widen(columns), nil
}

// Scan misses nothing.
func (e Embedded) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*Columns, error) {
	columns, err := e.Collection.Scan(ctx, vectors, filter)
	if err != nil {
		return nil, err
	}
	return widen(columns), nil
}

func widen(c *index.Columns) *Columns {
	out := &Columns{Refs: make([]Ref, len(c.Ordinals)), Similarities: c.Similarities}
	for i, o := range c.Ordinals {
		out.Refs[i] = Ref(o)
	}
	return out
}

// Documents reads them from one state of the collection.
func (e Embedded) Documents(ctx context.Context, refs []Ref) ([]Document, error) {
	return e.Collection.Documents(ctx, ordinals(refs))
}

// Vectors copies them out of memory.
func (e Embedded) Vectors(ctx context.Context, refs []Ref) ([][]float32, error) {
	return e.Collection.Vectors(ctx, ordinals(refs))
}

// Sample takes documents at even distances.
func (e Embedded) Sample(ctx context.Context, n int) ([]Ref, error) {
	found, err := e.Collection.Sample(ctx, n)
	return widen(&index.Columns{Ordinals: found}).Refs, err
}

// Compare is exact.
func (e Embedded) Compare(ctx context.Context, refs []Ref, vectors [][]float32) (*Columns, error) {
	columns, err := e.Gather(ctx, vectors, ordinals(refs))
	if err != nil {
		return nil, err
	}
	return widen(columns), nil
}

func ordinals(refs []Ref) []index.Ordinal {
	out := make([]index.Ordinal, len(refs))
	for i, r := range refs {
		out[i] = index.Ordinal(r)
	}
	return out
}

// Find asks the ledger.
func (e Embedded) Find(ctx context.Context, id string) (Ref, error) {
	o, err := e.Ordinal(ctx, id)
	return Ref(o), err
}

// List goes by ordinals, that is, in the order in which documents were last
// stored.
func (e Embedded) List(ctx context.Context, after string, limit int) (docs []Document, mark string, err error) {
	var from uint64
	if after != "" {
		if from, err = strconv.ParseUint(after, 10, 32); err != nil {
			return nil, after, &index.InputError{What: "page", Problem: fmt.Sprintf("%q is not the mark of another one", after)}
		}
	}
	docs, last, err := e.Collection.List(ctx, index.Ordinal(from), limit)
	return docs, strconv.FormatUint(uint64(last), 10), err
}
