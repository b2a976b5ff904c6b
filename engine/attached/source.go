package attached

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
)

// Source is a system of one's own, as little of it as a store is made of. Ids name documents;
// each has one vector, of any length but 0.
type Source interface {
	// Size is how much there is.
	Size(ctx context.Context) (engine.Size, error)
	// Nearest are the ids of the k documents that pass a filter and have the largest cosines
	// to a vector, the largest first. Exact says that none was overlooked.
	Nearest(ctx context.Context, vector []float32, k int, filter query.Node) (ids []string, exact bool, err error)
	// Read reads the wanted parts of documents, one for each id; the ID of one that is not
	// there is empty.
	Read(ctx context.Context, ids []string, parts engine.Parts) ([]engine.Document, error)
	// Sample are up to n ids that stand for all.
	Sample(ctx context.Context, n int) ([]string, error)
	// List is that of an engine.Collection.
	List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error)
}

// Store is a source as an engine.Collection that is only read.
type Store struct {
	ReadOnly
	Words
	source Source
}

var _ engine.Collection = (*Store)(nil)

// New makes a store of a source.
func New(source Source) *Store {
	s := &Store{source: source}
	s.Words.Store = s
	return s
}

// Size is that of the source.
func (s *Store) Size(ctx context.Context) (engine.Size, error) { return s.source.Size(ctx) }

// List is that of the source.
func (s *Store) List(ctx context.Context, page engine.Page) ([]engine.Document, string, error) {
	docs, mark, err := s.source.List(ctx, page)
	if err == nil {
		err = units(docs)
	}
	return docs, mark, err
}

// read reads documents, their vectors at length 1.
func (s *Store) read(ctx context.Context, ids []string, parts engine.Parts) ([]engine.Document, error) {
	docs, err := s.source.Read(ctx, ids, parts)
	if err == nil && len(docs) != len(ids) {
		err = fmt.Errorf("the source has read %d documents, %d were asked for", len(docs), len(ids))
	}
	if err == nil {
		err = units(docs)
	}
	return docs, err
}

// units scales copies of vectors to length 1.
func units(docs []engine.Document) error {
	for i := range docs {
		d := &docs[i]
		if d.Vector == nil {
			continue
		}
		unit, err := engine.UnitOf(d.Vector, len(d.Vector))
		if err != nil {
			return fmt.Errorf("the vector of %.64q %w", d.ID, err)
		}
		d.Vector = unit
	}
	return nil
}

// Close closes nothing.
func (s *Store) Close() error { return nil }

// Pool reads the vectors of what is nearest, and compares them.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	size, err := s.source.Size(ctx)
	if err != nil {
		return nil, err
	}
	q, err := pooling.NewSearch(size.Dimension, near, k, filter, vectors)
	if err != nil {
		return nil, err
	}
	f := q.Findings()
	f.Exact = true
	for j, v := range q.Near {
		ids, exact, err := s.source.Nearest(ctx, q.Vectors[v], min(q.K, max(1, size.Documents)), filter)
		if err != nil {
			return nil, err
		}
		last, err := s.compare(ctx, f, refsOf(ids), v)
		if err != nil {
			return nil, err
		}
		f.Exact = f.Exact && exact
		f.Ends[j] = [2]pooling.End{{Last: last, All: len(ids) < q.K}, {All: true}}
	}
	return f.Columns(), nil
}

// Compare reads the vectors of documents.
func (s *Store) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	size, err := s.source.Size(ctx)
	if err != nil {
		return nil, err
	}
	q, err := pooling.NewComparison(size.Dimension, vectors)
	if err != nil {
		return nil, err
	}
	f := q.Findings()
	if _, err := s.compare(ctx, f, refs, 0); err != nil {
		return nil, err
	}
	return f.InOrder(refs), nil
}

// compare adds documents, and tells how similar the last is to one of the vectors.
func (s *Store) compare(ctx context.Context, f *pooling.Findings, refs []engine.Ref, v int) (last float64, err error) {
	err = engine.Visit(ctx, s, refs, engine.Vectors, func(i int, d *engine.Document) {
		if d.ID != "" && len(d.Vector) == len(f.Vectors[v]) {
			similarities := f.Similarities([][]float32{d.Vector})
			f.Add(refs[i], similarities)
			last = float64(similarities[v])
		}
	})
	return last, err
}

// Sample is that of the source.
func (s *Store) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	ids, err := s.source.Sample(ctx, n)
	return refsOf(ids), err
}

// Find looks whether there is a document.
func (s *Store) Find(ctx context.Context, id string) (engine.Ref, error) {
	d, err := s.Get(ctx, id, engine.NoParts)
	return engine.Ref{Key: d.ID}, err
}

// Get reads one document.
func (s *Store) Get(ctx context.Context, id string, parts engine.Parts) (engine.Document, error) {
	docs, err := s.read(ctx, []string{id}, parts)
	if err == nil && (id == "" || docs[0].ID == "") {
		err = engine.ErrNotFound
	}
	if err != nil {
		return engine.Document{}, err
	}
	return docs[0], nil
}

// Documents reads documents.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return pooling.Portion(&engine.Portion{}, refs, parts, func(some []engine.Ref) ([]engine.Document, error) {
		ids := make([]string, len(some))
		for i, r := range some {
			ids[i] = r.Key
		}
		return s.read(ctx, ids, parts)
	})
}

func refsOf(ids []string) []engine.Ref {
	refs := make([]engine.Ref, len(ids))
	for i, id := range ids {
		refs[i] = engine.Ref{Key: id}
	}
	return refs
}
