package retrieve

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/profile"
)

// Background is how the scores of a formula lie over all documents, the relevant
// ones being few among them.
type Background struct {
	Mean, Deviation float64
}

// Z is how many deviations a score is above the mean.
func (b Background) Z(score float64) float64 {
	if !(b.Deviation > 0) {
		return 0
	}
	return (score - b.Mean) / b.Deviation
}

// background is that of the candidates where they are all documents, otherwise of
// a sample, so that a score means the same in every mode.
func (s *Searcher) background(ctx context.Context, c *Candidates, r *Ranking) (Background, error) {
	if c.Options.Mode == Exact && c.Formula.Filter == nil {
		return r.Background, nil
	}
	m, err := s.sample(ctx)
	if err != nil {
		return Background{}, err
	}
	vectors := c.Vectors
	if r.Program == nil {
		vectors = [][]float32{c.Vector}
		if c.Options.Mode == Baseline {
			vectors = [][]float32{c.monolithic()}
		}
	}
	columns, err := s.Store.Compare(ctx, m.refs, vectors)
	if err != nil {
		return Background{}, err
	}
	scores := columns.Similarities[0]
	if r.Program != nil {
		scores = make([]float32, len(columns.Refs))
		if r.Program.Options().Words > 0 {
			shares, err := c.heard.store.SaidBy(ctx, c.heard.query, columns.Refs)
			if err != nil {
				return Background{}, err
			}
			columns.Similarities = append(columns.Similarities, shares...)
		}
		if err := r.Program.Score(scores, columns.Similarities, r.Maxima); err != nil {
			return Background{}, err
		}
	}
	return backgroundOf(scores), nil
}

func backgroundOf(scores []float32) Background {
	var sum, squares float64
	for _, s := range scores {
		sum += float64(s)
	}
	n := float64(max(1, len(scores)))
	mean := sum / n
	for _, s := range scores {
		d := float64(s) - mean
		squares += float64(d * d)
	}
	return Background{mean, math.Sqrt(squares / n)}
}

// leastKnown is how many documents a store must have for their scores to tell how a good
// one stands out.
const leastKnown = 50

// noMatch begins the note on a search whose best result is unlikely to match.
const noMatch = "no document seems to match"

// unlikely is the probability below which nothing seems to match.
const unlikely = 0.05

// calibrate fills in the probabilities of hits, where the profile knows how scores
// of such formulas translate, and drops those below the least that is wanted.
func (s *Searcher) calibrate(ctx context.Context, c *Candidates, ranking *Ranking) (probabilities []float64, err error) {
	o, kind := c.Options, profile.KindOf(c.Formula)
	l, ok := o.Profile.Calibrations[kind]
	op := o.Profile.Operator(c.Formula)
	op.Logic.Words = o.Profile.Words
	switch {
	case ok && o.Mode.calculus() && *o.Logic == op.Logic && *o.Fusion == op.Fusion && c.Size.Documents < leastKnown:
		if o.MinProbability > 0 {
			return nil, badOption("of %d documents nothing can be said in probabilities; it takes %d to know how scores lie. Leave the least probability out", c.Size.Documents, leastKnown)
		}
		return nil, nil
	case !ok || !o.Mode.calculus() || *o.Logic != op.Logic || *o.Fusion != op.Fusion:
		if o.MinProbability > 0 {
			return nil, badOption("a least probability needs a profile that is calibrated for formulas of the kind %s, ranked by its own operators, and %s is not, in mode %s; leave it out, or learn one with nsfl tune", kind, o.Profile.Name, o.Mode)
		}
		return nil, nil
	}
	b, err := s.background(ctx, c, ranking)
	if err != nil {
		return nil, err
	}
	probabilities = make([]float64, len(ranking.Scores))
	for i, score := range ranking.Scores {
		probabilities[i] = l.Of(b.Z(float64(score)), float64(score))
	}
	// Scores fall along the ranking, and so do probabilities.
	n := len(probabilities)
	for n > 0 && probabilities[n-1] < o.MinProbability {
		n--
	}
	ranking.Lines, ranking.Scores = ranking.Lines[:n], ranking.Scores[:n]
	return probabilities[:n], nil
}
