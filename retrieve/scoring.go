package retrieve

import (
	"context"

	"github.com/nsfl-go/nsfl/logic"
)

// Scoring is a question as a function of similarities, for those who compute it elsewhere:
// its program, which counts no words, and in the embedded Encoded the vectors of its terms.
type Scoring struct {
	*Prepared
	Program *logic.Program
	Near    [][]float32 // what candidates are to be near to; nil: all documents are ranked
}

// Scoring prepares a question for a search that is made elsewhere. Mode Auto is Hybrid, and
// Exact needs no store that can do it.
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
