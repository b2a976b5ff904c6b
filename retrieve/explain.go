package retrieve

import (
	"fmt"

	"github.com/nsfl-go/nsfl/logic"
)

// similarities returns the similarities of a candidate to the terms that decide its score, in
// the order of the formula's terms.
func (c *Candidates) similarities(line int) []logic.Named {
	var out []logic.Named
	for t, column := range c.Terms {
		if c.read[t] {
			out = append(out, logic.Named{Formula: c.Formula.Terms.Name(t), Value: float64(column[line])})
		}
	}
	return out
}

// explain derives the score of the candidate at line.
func (c *Candidates) explain(ranking *Ranking, score float64, line int) (*logic.Explanation, error) {
	if ranking.Program == nil {
		return c.cosine(score), nil
	}
	var cosines []float32
	for _, column := range c.all() {
		cosines = append(cosines, column[line])
	}
	return ranking.Program.Explain(cosines, ranking.Maxima)
}

// cosine explains a score that is a single similarity.
func (c *Candidates) cosine(score float64) *logic.Explanation {
	to := "the whole query as one string"
	switch {
	case c.Options.Mode == SQO:
		to = "the one vector that satisfies the formula best"
	case c.Options.Mode.geometric():
		to = "the sum of what is wanted, without what is not"
	}
	return &logic.Explanation{
		Formula: c.Formula.Terms.NameOf(c.Formula.Root, c.Formula.Terms.Len()), Rule: "similarity", Score: score,
		Sentence: fmt.Sprintf("The similarity to %s is %.3f.", to, score),
	}
}
