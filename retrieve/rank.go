package retrieve

import (
	"cmp"
	"slices"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

// Ranking is an order of candidates.
type Ranking struct {
	Lines  []int     // into Candidates, the best first
	Scores []float32 // of those
	// Program and Maxima explain scores of the calculus; Program is nil where a
	// score is a cosine.
	Program *logic.Program
	Maxima  []float64
	// Background is of the scores of all candidates.
	Background Background
}

// Rank orders the candidates by what their mode ranks by, and keeps the k best.
// Equal scores are ordered by Ref.
func (c *Candidates) Rank(o logic.Options, k int) (*Ranking, error) {
	r := &Ranking{}
	scores := c.Special
	switch {
	case c.Mode == Baseline:
		scores = c.Terms[c.Formula.Terms.Index(c.Formula.Monolithic())]
	case c.byCalculus():
		var err error
		if r.Program, err = logic.Compile(c.Formula, o); err != nil {
			return nil, &OptionError{err.Error()}
		}
		scores = make([]float32, len(c.Refs))
		if r.Maxima, err = r.Program.Rank(scores, c.Terms); err != nil {
			return nil, err
		}
	}
	r.Lines, r.Scores = c.best(scores, k)
	r.Background = backgroundOf(scores)
	return r, nil
}

// byCalculus reports whether scores are the calculus's. The geometric baselines
// have no disjunction of their own and take its, when they rank a pool.
func (c *Candidates) byCalculus() bool {
	_, or := c.Formula.Root.(*query.Or)
	return c.Mode.calculus() || or && (c.Mode == GeoRerank || c.Mode == GeoHybrid)
}

// best are the lines of the k highest scores.
func (c *Candidates) best(scores []float32, k int) (lines []int, values []float32) {
	// A heap knows equal scores by line, not by Ref, so all that tie with the
	// last place are brought back before it is decided.
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
	slices.SortFunc(lines, c.order(scores))
	lines = lines[:min(k, len(lines))]
	for _, l := range lines {
		values = append(values, scores[l])
	}
	return lines, values
}

// order compares lines: the higher score first, then the lower Ref.
func (c *Candidates) order(scores []float32) func(a, b int) int {
	return func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(c.Refs[a], c.Refs[b]))
	}
}
