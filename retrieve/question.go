package retrieve

import (
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

// Read reads a formula, or plain language as one. A mistake in a formula is a
// *query.SyntaxError, which shows where.
func Read(text string, plainLanguage bool) (*Question, error) {
	q := &Question{Text: text}
	var err error
	if !plainLanguage {
		q.Formula, err = query.ParseFormula(text)
		return q, err
	}
	r, err := nl.Read(text)
	if err != nil {
		return nil, err
	}
	q.Understood = append([]string{r.Node.String()}, r.Notes...)
	q.Formula, err = query.Normalize(r.Node)
	return q, err
}

// Ask is the question of a formula.
func Ask(f *query.Formula) *Question {
	q := &Question{Formula: f}
	if f.Root != nil {
		q.Text = f.Root.String()
	}
	return q
}
