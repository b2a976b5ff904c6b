package remote

import (
	"context"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Source is a system of one's own, as little of it as a store is made of. Ids name documents;
// each has one vector, of any length but 0.
type Source interface {
	// Size returns how much there is.
	Size(ctx context.Context) (engine.Size, error)
	// Nearest returns the ids of the k documents that pass a filter and have the largest
	// cosines to a vector, the largest first. Exact says that none was overlooked.
	Nearest(ctx context.Context, vector []float32, k int, filter query.Node) (ids []string, exact bool, err error)
	// Read reads the wanted parts of documents, one for each id; the ID of one that is not
	// there is empty.
	Read(ctx context.Context, ids []string, parts engine.Parts) ([]engine.Document, error)
	// Sample returns up to n ids that stand for all.
	Sample(ctx context.Context, n int) ([]string, error)
	// List lists documents as engine.Collection.List does.
	List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error)
}

// NewSource returns a store of a source, which is only read.
func NewSource(ctx context.Context, source Source) (*Store, error) {
	size, err := source.Size(ctx)
	if err != nil {
		return nil, err
	}
	const long = 24 * time.Hour // a source has time-outs of its own
	calls := &Calls{Place: "the source", Options: engine.Options{Timeout: long}}
	return New(sourceDriver{source}, calls, Config{Dimension: size.Dimension, Limits: UsualLimits, Text: true}), nil
}

// sourceDriver asks a source, which decides filters itself.
type sourceDriver struct{ source Source }

func (d sourceDriver) Size(ctx context.Context) (engine.Size, error) { return d.source.Size(ctx) }

func (d sourceDriver) Compile(_ context.Context, filter query.Node) (Where, error) {
	return Where{Native: filter}, nil
}

// Lists reads the vectors of the nearest documents.
func (d sourceDriver) Lists(ctx context.Context, f *Findings, limit int) error {
	if limit == 0 {
		return d.all(ctx, f)
	}
	exact := true
	for j, v := range f.Near {
		ids, all, err := d.source.Nearest(ctx, f.Vectors[v], limit, f.Filter)
		if err != nil {
			return err
		}
		end := End{Last: 1, All: len(ids) < limit}
		err = d.Read(ctx, refsTo(ids), Want{Parts: engine.Vectors}, func(e *Entry) error {
			similarities, err := f.addVector(e)
			if err == nil {
				end.Last = min(end.Last, float64(similarities[v]))
			}
			return err
		})
		if err != nil {
			return err
		}
		exact, f.Ends[j] = exact && all, [2]End{end, {All: true}}
	}
	f.Exact = exact
	return nil
}

func (d sourceDriver) all(ctx context.Context, f *Findings) error {
	page := engine.Page{Filter: f.Filter, Limit: longestPage, Parts: engine.Vectors}
	for {
		docs, mark, err := d.source.List(ctx, page)
		if err != nil || len(docs) == 0 {
			return err
		}
		for i := range docs {
			if _, err := f.addVector(&Entry{Ref: engine.Ref{Key: docs[i].ID}, Document: docs[i]}); err != nil {
				return err
			}
		}
		page.After = mark
	}
}

// addVector adds a document by its vector, of any length.
func (f *Findings) addVector(e *Entry) ([]float32, error) {
	unit, err := engine.UnitOf(e.Vector, len(f.Vectors[0]))
	if err != nil {
		return nil, fmt.Errorf("the vector of %.64q %w", e.ID, err)
	}
	similarities := f.Similarities([][]float32{unit})
	f.Add(e.Ref, similarities)
	return similarities, nil
}

// Compare reads the vectors of documents.
func (d sourceDriver) Compare(ctx context.Context, f *Findings, refs []engine.Ref) error {
	return d.Read(ctx, refs, Want{Parts: engine.Vectors}, func(e *Entry) error {
		_, err := f.addVector(e)
		return err
	})
}

func (d sourceDriver) Read(ctx context.Context, refs []engine.Ref, want Want, visit func(*Entry) error) error {
	if err := ctx.Err(); err != nil || len(refs) == 0 {
		return err
	}
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.Key
	}
	docs, err := d.source.Read(ctx, ids, want.Parts)
	if err == nil && len(docs) != len(ids) {
		err = fmt.Errorf("the source has read %d documents, %d were asked for", len(docs), len(ids))
	}
	for i := range docs {
		if err != nil {
			return err
		}
		if docs[i].ID != "" {
			docs[i].Vector = append([]float32(nil), docs[i].Vector...) // which is the source's own
			err = visit(&Entry{Ref: refs[i], Document: docs[i]})
		}
	}
	return err
}

func (d sourceDriver) List(ctx context.Context, page engine.Page) ([]engine.Document, string, error) {
	docs, mark, err := d.source.List(ctx, page)
	for i := range docs {
		docs[i].Vector = append([]float32(nil), docs[i].Vector...)
	}
	return docs, mark, err
}

// IsMark accepts everything: the source checks its marks itself.
func (d sourceDriver) IsMark(string) bool { return true }

func (d sourceDriver) Get(ctx context.Context, id string, want Want, visit func(*Entry) error) error {
	return d.Read(ctx, []engine.Ref{{Key: id}}, want, visit)
}

func (d sourceDriver) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	ids, err := d.source.Sample(ctx, n)
	return refsTo(ids), err
}

func (d sourceDriver) Close() error { return nil }

func refsTo(ids []string) []engine.Ref {
	refs := make([]engine.Ref, len(ids))
	for i, id := range ids {
		refs[i] = engine.Ref{Key: id}
	}
	return refs
}
