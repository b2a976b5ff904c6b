package workspace

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

var _ engine.Worded = (*remote)(nil)

// remote is the open collection of a store elsewhere. It is not asked while the
// store is down, and its errors are the client's or a Problem.
type remote struct {
	engine.Collection
	store *remoteHealth
}

// ask makes a call.
func ask[T any](ctx context.Context, r *remote, call func() (T, error)) (out T, err error) {
	if err := r.store.refusal(); err != nil {
		return out, err
	}
	out, err = call()
	return out, r.store.explain(ctx, err)
}

func (r *remote) Size(ctx context.Context) (engine.Size, error) {
	return ask(ctx, r, func() (engine.Size, error) { return r.Collection.Size(ctx) })
}

func (r *remote) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	return ask(ctx, r, func() (*engine.Columns, error) { return r.Collection.Pool(ctx, near, k, filter, vectors) })
}

func (r *remote) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	return ask(ctx, r, func() (*engine.Columns, error) { return r.Collection.Compare(ctx, refs, vectors) })
}

func (r *remote) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	return ask(ctx, r, func() ([]engine.Ref, error) { return r.Collection.Sample(ctx, n) })
}

func (r *remote) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	return ask(ctx, r, func() ([]engine.Document, error) { return r.Collection.Documents(ctx, refs, parts) })
}

func (r *remote) Get(ctx context.Context, id string, parts engine.Parts) (engine.Document, error) {
	return ask(ctx, r, func() (engine.Document, error) { return r.Collection.Get(ctx, id, parts) })
}

func (r *remote) Find(ctx context.Context, id string) (engine.Ref, error) {
	return ask(ctx, r, func() (engine.Ref, error) { return r.Collection.Find(ctx, id) })
}

func (r *remote) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	docs, err = ask(ctx, r, func() (docs []engine.Document, err error) {
		docs, mark, err = r.Collection.List(ctx, page)
		return docs, err
	})
	return docs, mark, err
}

func (r *remote) Statistics(ctx context.Context) (*words.Statistics, error) {
	return ask(ctx, r, func() (*words.Statistics, error) {
		if w, ok := r.Collection.(engine.Worded); ok {
			return w.Statistics(ctx)
		}
		return nil, engine.ErrNoWords // and then nothing else is asked of words
	})
}

func (r *remote) Said(ctx context.Context, q *words.Query, filter query.Node, wanted []engine.Wanted) (*engine.Shares, error) {
	return ask(ctx, r, func() (*engine.Shares, error) { return r.Collection.(engine.Worded).Said(ctx, q, filter, wanted) })
}

func (r *remote) SaidBy(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	return ask(ctx, r, func() ([][]float32, error) { return r.Collection.(engine.Worded).SaidBy(ctx, q, refs) })
}

func (r *remote) Upsert(ctx context.Context, docs []engine.Document) error {
	_, err := ask(ctx, r, func() (struct{}, error) { return struct{}{}, r.Collection.Upsert(ctx, docs) })
	return err
}

func (r *remote) Delete(ctx context.Context, ids []string) (int, error) {
	return ask(ctx, r, func() (int, error) { return r.Collection.Delete(ctx, ids) })
}
