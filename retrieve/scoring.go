package retrieve

import (
	"context"

	"github.com/nsfl-go/nsfl/logic"
)

// Scoring is a query as a function of similarities, for callers that compute scores elsewhere.
// The program has no lexical score; the embedded Encoded holds the vectors of the terms.
type Scoring struct {
	*Prepared
	Program *logic.Program
	Near    [][]float32 // vectors that define the pool; nil if all documents are ranked
}

// Scoring prepares a query for a search that runs elsewhere. Auto means Hybrid, and Exact does
// not require a store that can scan.
func (s *Searcher) Scoring(ctx context.Context, q *Question, o Options) (*Scoring, error) {
	all := o.Mode == Exact
	switch o.Mode {
	case Auto, Exact:
		o.Mode = Hybrid
	case Rerank, Hybrid:
	default:
		return nil, badOption("mode %s does not rank by the calculus: rerank, hybrid and exact do", o.Mode)
	}
	none := 0.0
	o.Words = &none
	p, err := s.Prepare(ctx, q, o)
	if err != nil {
		return nil, err
	}
	out := &Scoring{Prepared: p, Program: p.program}
	if all {
		out.Options.Mode = Exact
		return out, nil
	}
	aim, err := p.aim()
	if err != nil {
		return nil, err
	}
	out.Near = (&Candidates{Prepared: p, Vector: aim.Vector}).poolNear()
	return out, nil
}
