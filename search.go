package nsfl

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Types of a search, from package retrieve.
type (
	Options  = retrieve.Options
	Research = retrieve.Research
	Result   = retrieve.Result
	Hit      = retrieve.Hit
	Vector   = retrieve.Vector
)

// Errors that callers may want to distinguish. They are returned wrapped.
var (
	ErrNotFound      = engine.ErrNotFound
	ErrNotCollection = engine.ErrNotCollection
	ErrLocked        = engine.ErrLocked
	ErrReadOnly      = engine.ErrReadOnly
	ErrClosed        = engine.ErrClosed
	ErrFull          = engine.ErrFull
)

// SyntaxError reports an error in a formula and its position, InputError an invalid
// document or vector, OptionError an invalid option.
type (
	SyntaxError = query.SyntaxError
	InputError  = engine.InputError
	OptionError = retrieve.OptionError
)

// Search runs a formula such as "beach AND sunset AND NOT people year:>=2015", or plain
// language if Options.PlainLanguage allows it. It returns a *SyntaxError for an invalid
// formula.
func (c *Collection) Search(ctx context.Context, text string, o Options) (*Result, error) {
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	return c.searcher.Search(ctx, q, o)
}

// Explain explains the score and rank of one document, even if it is not in the results
// of a search.
func (c *Collection) Explain(ctx context.Context, text, id string, o Options) (*Result, error) {
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	return c.searcher.Why(ctx, q, o, id)
}

// Vector returns the query vector that satisfies a formula best, for use in any vector
// search. Mode sqo searches with it.
func (c *Collection) Vector(ctx context.Context, text string, o Options) (*Vector, error) {
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	return c.searcher.Vector(ctx, q, o)
}
