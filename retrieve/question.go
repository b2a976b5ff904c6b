package retrieve

import (
	"context"
	"errors"

	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

// Question is a query to search for.
type Question struct {
	Formula *query.Formula
	Text    string // the original query
	// Sentence is the plain language that Formula was read from; empty if it was not.
	Sentence string
	// Understood holds the formula read from plain language, followed by notes on the reading.
	Understood []string
	// Kind is the noun by which plain language calls the results, such as photos; empty for none.
	Kind string
}

// Read parses a formula, or reads plain language if o.PlainLanguage allows it. A malformed
// formula is a *query.SyntaxError, which gives the position.
func Read(ctx context.Context, text string, o Options) (*Question, error) {
	r, err := Interpret(ctx, text, o)
	if err != nil {
		return nil, err
	}
	q := &Question{Text: text, Understood: r.Told(), Kind: r.Kind}
	if r.Formula {
		q.Formula, err = query.ParseFormula(text)
	} else {
		q.Sentence = text
		q.Formula, err = query.Normalize(r.Node)
	}
	return q, err
}

// Interpret is like Read, but returns the formula before it is normalized.
func Interpret(ctx context.Context, text string, o Options) (nl.Reading, error) {
	r, err := nl.As(ctx, text, o.PlainLanguage, o.Chat)
	if errors.Is(err, nl.ErrNoChat) {
		err = badOption("%v", err)
	}
	return r, err
}

// Ask returns the question for a formula.
func Ask(f *query.Formula) *Question {
	q := &Question{Formula: f}
	if f.Root != nil {
		q.Text = f.Root.String()
	}
	return q
}
