package retrieve

import (
	"cmp"
	"slices"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Ranking is a ranked list of candidates.
type Ranking struct {
	Lines  []int     // indices into Candidates, best first
	Scores []float32 // scores of Lines
	// Program and Maxima explain scores of the calculus. Program is nil if scores are cosines.
	Program *logic.Program
	Maxima  []float64

	took time.Duration
}

// Rank ranks the candidates by the score of their mode and keeps the k best. Ties are broken
// by Ref.
func (c *Candidates) Rank(k int) (*Ranking, error) {
	lap := stopwatch()
	r := &Ranking{}
	scores := c.near
	switch {
	case c.Options.Mode == Baseline:
		scores = c.Terms[c.Formula.Terms.Index(c.Formula.Monolithic())]
	case c.byCalculus():
		r.Program = c.program
		scores = make([]float32, len(c.Refs))
		var err error
		if r.Maxima, err = c.score(scores); err != nil {
			return nil, err
		}
	}
	r.Lines, r.Scores = best(c.Refs, scores, k)
	lap(&r.took)
	return r, nil
}

// Best ranks as many candidates as the results and the folding of copies need. A formula that
// contradicts itself has no results.
func (c *Candidates) Best() (*Ranking, error) {
	r, err := c.Rank(c.Options.depth())
	if value, constant := query.Constant(c.Formula.Root); err == nil && constant && !value {
		r.Lines, r.Scores = nil, nil
	}
	return r, err
}

// byCalculus reports whether the calculus computes the scores. The geometric baselines have no
// disjunction of their own, so they use the calculus when they rank a pool.
func (c *Candidates) byCalculus() bool {
	mode := c.Options.Mode
	return mode.calculus() || query.HasAlternatives(c.Formula.Root) && (mode == GeoRerank || mode == GeoHybrid)
}

// best returns the lines with the k highest scores.
func best(refs []engine.Ref, scores []float32, k int) (lines []int, values []float32) {
	// The heap breaks ties by line, not by Ref, so every line that ties with the last place is
	// considered again.
	top := vec.NewTopK(max(1, min(k, len(scores))))
	top.Push(0, scores)
	_, ranked := top.Ranked()
	if len(ranked) == 0 {
		return nil, nil
	}
	last := ranked[len(ranked)-1]
	for i, s := range scores {
		if s >= last {
			lines = append(lines, i)
		}
	}
	slices.SortFunc(lines, order(refs, scores))
	lines = lines[:min(k, len(lines))]
	for _, l := range lines {
		values = append(values, scores[l])
	}
	return lines, values
}

// order compares lines: the higher score first, then the lower Ref.
func order(refs []engine.Ref, scores []float32) func(a, b int) int {
	return func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), refs[a].Compare(refs[b]))
	}
}
