package retrieve

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/logic"
)

// ranker returns the store if it can rank the candidates of a query itself, and nil otherwise.
func (s *Searcher) ranker(p *Prepared) engine.Ranker {
	if r := engine.CapabilitiesOf(s.Store).Ranker; r != nil && p.Options.Mode == Hybrid && r.Ranks() {
		return r
	}
	return nil
}

// ranked lets the store find the best documents by vectors. Other documents score no higher
// than the last one, apart from their lexical score.
func (s *Searcher) ranked(ctx context.Context, c *Candidates, r engine.Ranker) error {
	if err := c.drawColumns(ctx, [][]float32{nil}); err != nil {
		return err
	}
	o := *c.Options.Logic
	o.Words = 0
	program, err := logic.Compile(c.Formula, o)
	if err != nil {
		return badOption("%v", err)
	}
	score, err := pushdown.New(program)
	if err != nil {
		return err
	}
	k := c.Options.most()
	refs, scores, maxima, err := r.Rank(ctx, score, c.Vectors, c.Formula.Filter, k)
	if err != nil {
		return err
	}
	terms, vectors := c.columns()
	found, err := s.Store.Compare(ctx, refs, vectors)
	if err != nil {
		return err
	}
	if len(score.Gates) > 0 {
		c.maxima = maxima
	}
	c.proof = &proof{rest: math.Inf(-1)}
	if len(refs) == k {
		c.proof.rest = scores[k-1] + rounding + c.Options.Logic.Words*c.unseen(k)
	}
	return s.keep(ctx, c, found, terms, vectors, k)
}

// rounding bounds the difference between a score computed by the store and one computed here.
const rounding = 1e-6

// unseen returns a bound on the lexical score of documents that were not found.
func (c *Candidates) unseen(k int) float64 {
	if c.lexical == nil {
		return 0
	}
	st := c.streams()
	if st == nil {
		return math.Inf(1)
	}
	return c.lexical.unseenBound(st.bound, k)
}

// score computes the scores of the candidates by the calculus. Gate maxima are taken over all
// documents if known, and over the candidates otherwise.
func (c *Candidates) score(out []float32) (maxima []float64, err error) {
	if c.maxima == nil {
		return c.program.Rank(out, c.all())
	}
	return c.maxima, c.program.Score(out, c.all(), c.maxima)
}
