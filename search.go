package nsfl

import (
	"context"

	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Options and Result are those of the package retrieve.
type (
	Options = retrieve.Options
	Result  = retrieve.Result
	Hit     = retrieve.Hit
)

// Search answers a formula such as "beach AND sunset AND NOT people year:>=2015".
// A mistake in it is a *query.SyntaxError, which shows where.
func (c *Collection) Search(ctx context.Context, formula string, o Options) (*Result, error) {
	f, err := query.ParseFormula(formula)
	if err != nil {
		return nil, err
	}
	return c.searcher.Search(ctx, f, o)
}
