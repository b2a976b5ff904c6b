package enginetest

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/index"
)

func TestEmbedded(t *testing.T) {
	dirs := map[string]string{}
	Run(t, Maker{Open: func(t testing.TB, name string, o engine.Options) (Store, error) {
		key := t.Name() + "/" + name
		if dirs[key] == "" {
			dirs[key] = t.TempDir()
		}
		return index.OpenOrCreate(context.Background(), dirs[key], index.Options{Dimension: o.Dimension, Encoder: o.Encoder})
	}})
}

// lent is a collection as something that is attached to it would have it.
type lent struct {
	remote.ReadOnly
	engine.Store
	engine.LexicalStore
	c *index.Collection
}

func (l lent) List(ctx context.Context, page engine.Page) ([]engine.Document, string, error) {
	return l.c.List(ctx, page)
}

func (l lent) Close() error { return l.c.Close() }

func TestLent(t *testing.T) {
	Run(t, Maker{Mixed: true, Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (Store, error) {
		ctx, dir := context.Background(), t.TempDir()
		c, err := index.OpenOrCreate(ctx, dir, index.Options{Dimension: len(docs[0].Vector)})
		if err != nil {
			t.Fatal(err)
		}
		upsert(t, c, docs)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		return func(o engine.Options) (Store, error) {
			c, err := index.Open(ctx, dir, index.Options{Dimension: o.Dimension, ReadOnly: true})
			if err != nil {
				return nil, err
			}
			return lent{Store: c, LexicalStore: c, c: c}, nil
		}
	}})
}
