package lab

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Searcher returns a searcher for the corpus that compares documents in one way. A
// document's ref is its index in IDs.
func (c *Corpus) Searcher(how Passages) (*retrieve.Searcher, error) {
	m, err := c.matrix(how)
	if err != nil {
		return nil, err
	}
	return &retrieve.Searcher{Store: m, Encoder: c.queries}, nil
}

// Formulas parses the formulas of queries and encodes all their strings in one call. A text
// without a formula is an atom.
func (c *Corpus) Formulas(ctx context.Context, queries []sets.Query, styles ...fusion.Style) ([]*query.Formula, error) {
	out := make([]*query.Formula, len(queries))
	var strings []string
	for i := range queries {
		q := &queries[i]
		f, err := formulaOf(q)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		if f.Root == nil {
			return nil, fmt.Errorf("query %s has only predicates", q.ID)
		}
		for _, style := range styles {
			strings = append(strings, fusion.New(f, style).Strings...)
		}
		out[i] = f
	}
	_, err := c.queries.Encode(ctx, encoder.Query, strings)
	return out, err
}

func formulaOf(q *sets.Query) (*query.Formula, error) {
	if q.Formula == "" && q.Text != "" {
		return query.Normalize(&query.Atom{Text: q.Text})
	}
	return query.ParseFormula(q.Formula)
}
