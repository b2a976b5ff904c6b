// Package engine says what retrieval needs of a place where vectors live, and
// puts the embedded collection behind it. External engines have a folder each.
//
// It knows vectors, filters and documents. Formulas, fusions and scores are the
// business of others.
package engine

import (
	"context"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

// Document and Passage are the embedded collection's.
type (
	Document = index.Document
	Passage  = index.Passage
)

// Ref names one version of a document within one store: a document that is
// replaced gets a new one, or the old one keeps naming it. Refs order documents
// of equal score, the lower first.
type Ref uint64

// Columns are similarities of documents, column by column.
type Columns struct {
	Refs []Ref // the documents, one for each line, in no particular order
	// Similarities[j][i] is that of query vector j and document Refs[i]: the
	// cosine to the document's vector or, where it has passages, the mean of that
	// and the largest cosine to a passage.
	Similarities [][]float32
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
	Size(ctx context.Context) (Size, error)

	// Pool finds, for each of near, the k most similar documents that pass the
	// filter, and compares all of those with each of vectors.
	Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*Columns, error)

	// Documents reads documents with their vectors. Where one has been deleted
	// since its Ref was obtained, its ID is empty.
	Documents(ctx context.Context, refs []Ref) ([]Document, error)

	// Get reads a document by its id. It fails with index.ErrNotFound where
	// there is none.
	Get(ctx context.Context, id string) (Document, error)
}

// Scanner is a store that can compare all documents that pass a filter with each
// of several vectors in one go.
type Scanner interface {
	Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*Columns, error)
}

// Sampler is a store whose documents can be compared one by one, without reading
// them.
type Sampler interface {
	// Sample names up to n documents, spread over all.
	Sample(ctx context.Context, n int) ([]Ref, error)

	// Vectors are those of documents as wholes. Where one has been deleted since
	// its Ref was obtained, there is nil.
	Vectors(ctx context.Context, refs []Ref) ([][]float32, error)

	// Compare compares documents with each of vectors. Those that have been
	// deleted are left out.
	Compare(ctx context.Context, refs []Ref, vectors [][]float32) (*Columns, error)
}

// Writer is a store that can be written to.
type Writer interface {
	// Upsert stores documents, in place of those that have their ids. A document
	// that cannot be accepted is an *index.InputError, and then nothing of the
	// batch is stored.
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
	// its vectors come from.
	Encoder() string

	// Find is the Ref of the document that has an id. It fails with
	// index.ErrNotFound where there is none.
	Find(ctx context.Context, id string) (Ref, error)

	// List reads up to limit documents with their vectors, in an order of the
	// store's own that goes on to hold while others are stored, and when the
	// collection is opened again: what is there all the time comes once, what is
	// replaced comes as it is now, perhaps a second time. The first page is after
	// "", the next after the page's mark, until a page is empty. A page may be
	// shorter than limit before that.
	List(ctx context.Context, after string, limit int) (docs []Document, mark string, err error)

	// SetNotes keeps texts by name with the collection; an empty text removes
	// one. They are index.Collection's: names and texts are UTF-8, together no
	// more than index.MaxNoteBytes.
	SetNotes(ctx context.Context, notes map[string]string) error

	// Notes are those whose names begin with a prefix, by name.
	Notes(ctx context.Context, prefix string) (map[string]string, error)

	// Close waits for the calls in progress. To close twice does no harm.
	Close() error
}
