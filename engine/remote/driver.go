package remote

import (
	"context"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// Driver sends requests to a server. It is a Searcher or a Comparer, too. Its methods are safe for
// concurrent use, change nothing, and may be called again after an error. An error of visit
// ends the request.
type Driver interface {
	// Size returns how much the server has.
	Size(ctx context.Context) (engine.Size, error)

	// Compile translates a filter, a tree of predicates, as far as the server can decide it.
	Compile(ctx context.Context, filter query.Node) (Where, error)

	// Read visits the wanted parts of those documents that are still there, in any order. If it
	// fails with ErrLarge, it is called again for fewer documents.
	Read(ctx context.Context, refs []engine.Ref, want Want, visit func(*Entry) error) error

	// Sample returns up to n documents that stand for all.
	Sample(ctx context.Context, n int) ([]engine.Ref, error)

	// Close closes the connections.
	Close() error
}

// Finder is a driver whose keys are not the ids of documents.
type Finder interface {
	// Get visits the wanted parts of the documents that may have an id.
	Get(ctx context.Context, id string, want Want, visit func(*Entry) error) error
}

// Searcher is a driver of a server that finds documents, whose vectors are compared here.
type Searcher interface {
	// Nearest returns up to limit documents that the index has nearest to a vector, the
	// nearest first: by the vector of the whole or, where passages is true, by their best
	// passage. If vectors come with a search at no cost, hits have the wanted parts.
	Nearest(ctx context.Context, vector []float32, limit int, where Where, want Want, passages bool) ([]Hit, error)

	// Page visits the documents after a mark, or all documents if the mark is empty, in a
	// stable order, until visit returns false. About limit documents will be needed. If the mark
	// is none, it fails with BadMark.
	Page(ctx context.Context, after string, limit int, where Where, want Want, visit func(*Entry) (more bool, err error)) error
}

// Comparer is a driver of a server that compares vectors itself, without sending them, and
// reads pages of whole documents.
type Comparer interface {
	// Lists adds the documents of the lists of each of f.Near to f, and how the lists end. A
	// limit of 0 compares all documents.
	Lists(ctx context.Context, f *Findings, limit int) error
	// Compare adds documents to f.
	Compare(ctx context.Context, f *Findings, refs []engine.Ref) error
	// List lists documents as engine.Collection.List does.
	List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error)
}

// BadMark returns the error for a mark that no page has.
func BadMark(mark string) error {
	return engine.BadInput("page", "%.64q is not the mark of another one", mark)
}

// Where is a condition in a server's own terms. Every document that passes the filter meets
// it. The zero value is met by all documents.
type Where struct {
	Native  any  // nil: every document meets it
	Inexact bool // documents that do not pass may meet it
	Nothing bool // no document meets it
	Guessed bool // it was made from a sample, and may leave out documents that pass
}

// Hit is a document that a server has found. Score is its cosine by the index, if the index
// is Scored. Version, if the server reports it, changes with the document.
type Hit struct {
	Ref     engine.Ref
	Score   float64
	Version string
	Entry   *Entry // nil: the document has not come along
}

// Want names the parts to read of documents. The ref and, in Read, the id are always read.
type Want struct {
	Parts engine.Parts
	// Filter asks for as much metadata as is needed to decide it; nil: none.
	Filter query.Node
}

// Entry is a document as a driver reads it: vectors are as they are stored, of any length.
type Entry struct {
	engine.Document
	Ref     engine.Ref
	Version string
	Mark    func() string // where the page after it begins, from Page
}

// VisitEach visits n documents, which a driver decodes one after the other.
func VisitEach(n int, entry func(i int) (*Entry, error), visit func(*Entry) error) error {
	for i := range n {
		e, err := entry(i)
		if err == nil {
			err = visit(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A Needle is a word to find, with its forms.
type Needle = words.Needle

// FullText is a driver that finds documents by words.
type FullText interface {
	// Matching returns up to limit documents that have some of the words, the best first.
	Matching(ctx context.Context, needles []Needle, limit int, where Where) ([]engine.Ref, error)
}

// Pieces is a driver of a server that keeps the words of documents as pieces.
type Pieces interface {
	ReadPieces(ctx context.Context, refs []engine.Ref, visit func(engine.Ref, []uint16) error) error
}

// Matcher is a driver that counts what meets a condition.
type Matcher interface {
	// Count counts documents that have a vector, or passages with vectors, up to limit.
	Count(ctx context.Context, where Where, passages bool, limit int) (int, error)
}

// Health is a driver of a cluster that answers even if some of its parts do not.
type Health interface {
	// Missing describes the parts that do not answer; it is empty if all do.
	Missing(ctx context.Context) (string, error)
}

// gaps collects the parts of a store that did not answer a tolerant call.
type gaps struct {
	mu    sync.Mutex
	texts []string
}

type gapsKey struct{}

func withGaps(ctx context.Context) (context.Context, *gaps) {
	g := &gaps{}
	return context.WithValue(ctx, gapsKey{}, g), g
}

// Partial returns a context for requests that continue without parts of the store that do not
// answer, and do not report them.
func Partial(ctx context.Context) context.Context {
	ctx, _ = withGaps(ctx)
	return ctx
}

// Tolerant reports whether a call continues without parts of the store that do not answer.
func Tolerant(ctx context.Context) bool { return ctx.Value(gapsKey{}) != nil }

// Degraded records that a part of the store did not answer a tolerant call.
func Degraded(ctx context.Context, text string) {
	g, ok := ctx.Value(gapsKey{}).(*gaps)
	if !ok || text == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.texts, text) {
		g.texts = append(g.texts, text)
	}
}
