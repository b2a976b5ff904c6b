package nsfl

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// What a search is asked for and answers with; the package retrieve explains it.
type (
	Options  = retrieve.Options
	Research = retrieve.Research
	Result   = retrieve.Result
	Hit      = retrieve.Hit
	Vector   = retrieve.Vector
)

// Errors that a caller may want to tell apart. They come wrapped.
var (
	ErrNotFound      = engine.ErrNotFound
	ErrNotCollection = engine.ErrNotCollection
	ErrLocked        = engine.ErrLocked
	ErrReadOnly      = engine.ErrReadOnly
	ErrClosed        = engine.ErrClosed
	ErrFull          = engine.ErrFull
)

// SyntaxError is a mistake in a formula and shows where, InputError a document or a
// vector that cannot be accepted, OptionError a choice that has no meaning.
type (
	SyntaxError = query.SyntaxError
	InputError  = engine.InputError
	OptionError = retrieve.OptionError
)

// Search answers a formula such as "beach AND sunset AND NOT people year:>=2015", or
// plain language where Options.PlainLanguage says so. A mistake in a formula is a
// *SyntaxError.
func (c *Collection) Search(ctx context.Context, text string, o Options) (*Result, error) {
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	return c.searcher.Search(ctx, q, o)
}

// Explain says how one document comes to its score and rank, be it among the results
// of a search or not.
func (c *Collection) Explain(ctx context.Context, text, id string, o Options) (*Result, error) {
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	return c.searcher.Why(ctx, q, o, id)
}

// Vector is the one query vector that satisfies a formula best, for any other vector
// search. With it mode sqo searches.
func (c *Collection) Vector(ctx context.Context, text string, o Options) (*Vector, error) {
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	return c.searcher.Vector(ctx, q, o)
}
