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
	// Similarities[j][i] is that of query vector j and document Refs[i]: the
	// cosine to the document's vector or, where it has passages, the mean of that
	// and the largest cosine to a passage.
	Similarities [][]float32
	// Beyond is, for each of the vectors that a pool is near to, what no document
	// exceeds in similarity to it that passes the filter and is not among Refs: −2 where
	// there is none. It is nil where nothing is known, and of documents that were named.
	Beyond []float32
	// Approximate says that the documents come from an index that may overlook some, of
	// which Beyond knows nothing.
	Approximate bool
	// Degraded says in words what part of the store could not be asked.
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

	// Find is the Ref of the document that has an id. It fails with ErrNotFound
	// where there is none.
	Find(ctx context.Context, id string) (Ref, error)

	// Documents reads the wanted parts of documents, all of them or, where they have
	// more than PortionBytes, the first of them, one at least: Visit reads the rest
	// too. Where one has been deleted since its Ref was obtained, its ID is empty.
	Documents(ctx context.Context, refs []Ref, parts Parts) ([]Document, error)

	// Get reads the wanted parts of a document by its id. It fails with ErrNotFound
	// where there is none.
	Get(ctx context.Context, id string, parts Parts) (Document, error)
}

// Scanner is a store that can compare all documents that pass a filter with each
// of several vectors in one go.
type Scanner interface {
	Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*Columns, error)
}

// Writer is a store that can be written to.
type Writer interface {
	// Upsert stores documents, in place of those that have their ids. A document
	// that cannot be accepted is an *InputError, and then nothing of the batch is
	// stored.
	Upsert(ctx context.Context, docs []Document) error

	// Delete removes the documents that have the given ids, and tells how many
	// there were.
	Delete(ctx context.Context, ids []string) (int, error)
}

// Collection is a store with everything that is done to one besides searching.
type Collection interface {
	Store
	Writer

	// Encoder is what identifies, in words of whoever made the collection, what
	// its vectors come from. It is empty of a store that something else has filled, to
	// which nsfl is attached and which it only reads.
	Encoder() string

	// List reads the wanted parts of up to limit documents that pass a filter, in
	// an order of the store's own that goes on to hold while others are stored, and
	// when the collection is opened again: what is there all the time comes once,
	// what is replaced comes as it is now, perhaps a second time. The first page is
	// after "", the next after the page's mark, until a page is empty. A page may
	// be shorter than limit before that: it ends where it has page.Bytes.
	List(ctx context.Context, page Page) (docs []Document, mark string, err error)

	// SetNotes keeps texts by name with the collection; an empty text removes
	// one. CheckNotes says what can be kept.
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
	Bytes  int        // of them, about; 0, and at most: PortionBytes
	Parts  Parts
}
