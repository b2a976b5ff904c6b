package retrieve

import (
	"context"
	"errors"

	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

// Question is what is searched for.
type Question struct {
	Formula *query.Formula
	Text    string // as it was asked
	// Understood are, of plain language, the formula and what was noted while it
	// was read.
	Understood []string
}

// Read reads a formula, or plain language as one where o.PlainLanguage says so. A mistake
// in a formula is a *query.SyntaxError, which shows where.
func Read(ctx context.Context, text string, o Options) (*Question, error) {
	r, err := Interpret(ctx, text, o)
	if err != nil {
		return nil, err
	}
	q := &Question{Text: text, Understood: r.Told()}
	if r.Formula {
		q.Formula, err = query.ParseFormula(text)
	} else {
		q.Formula, err = query.Normalize(r.Node)
	}
	return q, err
}

// Interpret is Read before the formula is brought to normal form.
func Interpret(ctx context.Context, text string, o Options) (nl.Reading, error) {
	r, err := nl.As(ctx, text, o.PlainLanguage, o.Chat)
	if errors.Is(err, nl.ErrNoChat) {
		err = badOption("%v", err)
	}
	return r, err
}

// Ask is the question of a formula.
func Ask(f *query.Formula) *Question {
	q := &Question{Formula: f}
	if f.Root != nil {
		q.Text = f.Root.String()
	}
	return q
}
