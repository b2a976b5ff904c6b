package screening

import (
	"context"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Shown is a record as a person sees it.
type Shown struct {
	engine.Document
	Why   string   // why it is shown, in words
	Terms []string // words and phrases to highlight, in lower case
}

// Show reads a record and explains why it comes next: because it was drawn at random, because
// of the decisions so far, or because of the formula.
func (s *Screening) Show(ctx context.Context, id string, sample bool) (Shown, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.store.Get(ctx, id, engine.Titles|engine.Texts|engine.Metadata)
	if err != nil {
		return Shown{}, err
	}
	s.rank() // fits the model
	const most = 8
	terms, fitted := s.model.reasons(d.Title+"\n"+d.Text, most)
	out := Shown{Document: d, Why: "in random order, until a record is included and one excluded", Terms: terms}
	switch {
	case sample:
		out.Why = "drawn at random from the unread records"
	case fitted && len(terms) > 0:
		out.Why = "decisions so far speak for " + strings.Join(terms, ", ")
	case fitted:
		out.Why = "the best of the rest, by the decisions so far"
	case s.Formula != "":
		out.Why = "best match of " + s.Formula
	}
	if f, err := query.ParseFormula(s.Formula); err == nil { // without a formula there are no atoms
		for atom, nots := range query.Atoms(f.Root) {
			if atom.Kind != query.Text || nots%2 == 1 {
				continue
			}
			out.Terms = append(out.Terms, strings.ToLower(atom.Text))
		}
	}
	return out, nil
}
