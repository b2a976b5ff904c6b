package workspace

import (
	"context"
	"errors"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/pushdown"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

var _ engine.Capable = (*remote)(nil)

// remote is the open collection of an external store. It refuses calls while the store is
// down, and reports errors that are not the client's own as an *Error.
type remote struct {
	engine.Collection
	store *remoteHealth
}

// ask makes a call to the store.
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

func (r *remote) Upsert(ctx context.Context, docs []engine.Document) error {
	_, err := ask(ctx, r, func() (struct{}, error) { return struct{}{}, r.Collection.Upsert(ctx, docs) })
	return err
}

func (r *remote) Delete(ctx context.Context, ids []string) (int, error) {
	return ask(ctx, r, func() (int, error) { return r.Collection.Delete(ctx, ids) })
}

func (r *remote) SetNotes(ctx context.Context, notes map[string]string) error {
	_, err := ask(ctx, r, func() (struct{}, error) { return struct{}{}, r.Collection.SetNotes(ctx, notes) })
	return err
}

func (r *remote) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	return ask(ctx, r, func() (map[string]string, error) { return r.Collection.Notes(ctx, prefix) })
}

// Capabilities returns those of the store, each of which is asked like the store itself.
func (r *remote) Capabilities() engine.Capabilities {
	c := engine.CapabilitiesOf(r.Collection)
	if c.Worded != nil {
		c.Worded = remoteWords{r, c.Worded}
	}
	if c.Scanner != nil {
		c.Scanner = remoteScanner{r, c.Scanner}
	}
	if c.Ranker != nil {
		c.Ranker = remoteRanker{c.Ranker, r}
	}
	if c.Counter != nil {
		c.Counter = remoteCounter{r, c.Counter}
	}
	if c.Described != nil {
		c.Described = remoteFields{r, c.Described}
	}
	return c // a catalogue was read when the store was opened
}

type remoteWords struct {
	*remote
	words engine.Worded
}

func (r remoteWords) Statistics(ctx context.Context) (*words.Statistics, error) {
	return ask(ctx, r.remote, func() (*words.Statistics, error) { return r.words.Statistics(ctx) })
}

func (r remoteWords) Said(ctx context.Context, q *words.Query, filter query.Node, wanted []engine.Wanted) (*engine.Shares, error) {
	return ask(ctx, r.remote, func() (*engine.Shares, error) { return r.words.Said(ctx, q, filter, wanted) })
}

func (r remoteWords) SaidBy(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	return ask(ctx, r.remote, func() ([][]float32, error) { return r.words.SaidBy(ctx, q, refs) })
}

type remoteScanner struct {
	*remote
	scanner engine.Scanner
}

func (r remoteScanner) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	return ask(ctx, r.remote, func() (*engine.Columns, error) { return r.scanner.Scan(ctx, vectors, filter) })
}

type remoteRanker struct {
	engine.Ranker
	remote *remote
}

func (r remoteRanker) Rank(ctx context.Context, score *pushdown.Score, vectors [][]float32, filter query.Node, k int) (refs []engine.Ref, scores, maxima []float64, err error) {
	refs, err = ask(ctx, r.remote, func() (refs []engine.Ref, err error) {
		refs, scores, maxima, err = r.Ranker.Rank(ctx, score, vectors, filter, k)
		return refs, err
	})
	return refs, scores, maxima, err
}

type remoteCounter struct {
	*remote
	counter engine.Counter
}

func (r remoteCounter) CountValues(ctx context.Context, field string, filter query.Node, tell func(engine.Value, int)) error {
	if err := r.store.refusal(); err != nil {
		return err
	}
	err := r.counter.CountValues(ctx, field, filter, tell)
	if errors.Is(err, errors.ErrUnsupported) {
		return err // the values are then counted in a sample
	}
	return r.store.explain(ctx, err)
}

type remoteFields struct {
	*remote
	fields engine.Described
}

func (r remoteFields) FieldNames(ctx context.Context) (names []string, more bool, err error) {
	names, err = ask(ctx, r.remote, func() (names []string, err error) {
		names, more, err = r.fields.FieldNames(ctx)
		return names, err
	})
	return names, more, err
}

func (r remoteFields) Fields(ctx context.Context) (*engine.Fields, error) {
	return ask(ctx, r.remote, func() (*engine.Fields, error) { return r.fields.Fields(ctx) })
}
