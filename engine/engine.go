// Package engine defines the contract of a store: documents, operations, optional
// capabilities and errors. Package index is the store in a directory; external engines have
// a folder each below this one.
//
// It knows vectors, predicates and documents, and no implementation. Formulas,
// fusions and scores are the business of others.
package engine

import (
	"cmp"
	"context"
	"time"

	"github.com/nsfl-go/nsfl/query"
)

// Options configures how a store is opened. The zero value opens an existing store for
// reading and writing.
type Options struct {
	// Dimension of the vectors. It is required to create a collection and, unless it is 0,
	// must match an existing one.
	Dimension int
	// Encoder identifies the encoder of the vectors. It is stored with a new collection and,
	// unless it is empty, must match an existing one.
	Encoder string
	// ReadOnly makes, changes and stores nothing.
	ReadOnly bool
	// Fill announces many writes before the next search: an engine may build its index when
	// the collection is opened again.
	Fill bool
	// Timeout limits calls to a server that read, and WriteTimeout calls that write. 0 is the
	// default of the engine.
	Timeout, WriteTimeout time.Duration
}

// Ref names one version of a document within one store: a document that is
// replaced gets a new one, or the old one keeps naming it. A store that numbers its
// documents fills in Number, another one Key; callers compare Refs and hand them
// back.
type Ref struct {
	Number uint64
	Key    string
}

// Compare orders the documents of equal score.
func (r Ref) Compare(other Ref) int {
	return cmp.Or(cmp.Compare(r.Number, other.Number), cmp.Compare(r.Key, other.Key))
}

// Columns are similarities of documents, column by column.
type Columns struct {
	Refs []Ref // the documents, one for each line, in no particular order
	// Similarities[j][i] is the similarity of query vector j and document Refs[i]: the cosine
	// to the document's vector or, if it has passages, the mean of that and the largest cosine
	// to a passage.
	Similarities [][]float32
	// UnseenBounds holds, for each vector of the pool, an upper bound on its similarity to the
	// documents that pass the filter and are not in Refs: −2 if there are none. It is nil if
	// no bound is known, and for documents that were requested by Ref.
	UnseenBounds []float32
	// Approximate means that the documents come from an index that may miss some; UnseenBounds does
	// not cover those.
	Approximate bool
	// Degraded describes the parts of the store that did not answer.
	Degraded []string
}

// Size is how much a store holds.
type Size struct {
	Documents int
	Vectors   int // of documents and passages
	Dimension int
}

// Store is where vectors live. It is safe for concurrent use. Query vectors are
// of length 1; a nil filter passes everything.
type Store interface {
	// Size returns a size that may be some seconds old.
	Size(ctx context.Context) (Size, error)

	// Pool finds, for each of near, the k most similar documents that pass the
	// filter, and compares all of those with each of vectors.
	Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*Columns, error)

	// Compare compares documents with each of vectors. Those that have been
	// deleted are left out.
	Compare(ctx context.Context, refs []Ref, vectors [][]float32) (*Columns, error)

	// Sample names up to n documents that stand for all: each has the same chance
	// to be among them, whenever it was stored.
	Sample(ctx context.Context, n int) ([]Ref, error)

	// Find returns the Ref of the document with the given id, or ErrNotFound.
	Find(ctx context.Context, id string) (Ref, error)

	// Documents reads the requested parts of documents. If they exceed MaxReadBytes, it
	// returns only the first ones, at least one; Visit reads the rest too. A document deleted
	// since its Ref was obtained has an empty ID.
	Documents(ctx context.Context, refs []Ref, parts Parts) ([]Document, error)

	// Get reads the requested parts of a document by its id, or returns ErrNotFound.
	Get(ctx context.Context, id string, parts Parts) (Document, error)
}

// Scanner is a store that can compare all documents that pass a filter with each
// of several vectors in one go.
type Scanner interface {
	Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*Columns, error)
}

// Collection is a store with everything that is done to one besides searching.
type Collection interface {
	Store

	// Upsert stores documents and replaces those with the same ids. If a document is
	// unacceptable, Upsert returns an *InputError and stores nothing of the batch.
	Upsert(ctx context.Context, docs []Document) error

	// Delete removes the documents with the given ids and returns the number of documents
	// removed.
	Delete(ctx context.Context, ids []string) (int, error)

	// Encoder returns the identity of the encoder that made the vectors, as recorded when the
	// collection was created. It is empty for an attached store.
	Encoder() string

	// List reads the requested parts of up to limit documents that pass a filter. The order is
	// the store's own and stays valid while documents are stored and when the collection is
	// reopened: a document that exists throughout is listed once; a replaced document is
	// listed in its current version, perhaps a second time. The first page is after "", the
	// next after the page's mark, until a page is empty. A page may be shorter than limit: it
	// ends when it reaches page.Bytes.
	List(ctx context.Context, page Page) (docs []Document, mark string, err error)

	// SetNotes stores texts by name with the collection; an empty text removes one. A name and
	// its text have a megabyte at most.
	SetNotes(ctx context.Context, notes map[string]string) error

	// Notes are those whose names begin with a prefix, by name.
	Notes(ctx context.Context, prefix string) (map[string]string, error)

	// Close waits for the calls in progress. To close twice does no harm.
	Close() error
}

// Page selects the documents that Collection.List reads.
type Page struct {
	Filter query.Node // nil passes everything
	After  string     // the mark of the page before; empty: the first
	Limit  int        // of documents
	Bytes  int        // of them, about; 0, and at most: MaxReadBytes
	Parts  Parts
}

type sinceKey struct{}

// AsOf returns a context of calls that belong together, such as those of one search: a store
// may answer them from any state that it has had since AsOf was first called.
func AsOf(ctx context.Context) context.Context {
	if ctx.Value(sinceKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, sinceKey{}, time.Now())
}

// Since returns the time of AsOf, or now if the call stands alone.
func Since(ctx context.Context) time.Time {
	if t, ok := ctx.Value(sinceKey{}).(time.Time); ok {
		return t
	}
	return time.Now()
}
