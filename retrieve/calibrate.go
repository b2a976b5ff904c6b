package retrieve

import "github.com/nsfl-go/nsfl/profile"

// leastKnown is the smallest store whose documents support a probability or feedback.
const leastKnown = 50

// noMatch starts the note on a search whose best result is unlikely to match.
const noMatch = "no document seems to match"

// unlikely is the probability below which that note is added.
const unlikely = 0.06

// Scores by vectors of the built-in encoder. The best of a collection for a query about something
// else seldom reach closeInMeaning, and documents that answer a query in other words than its own
// seldom fall below nearInMeaning. Collections of fewer than leastKnown documents have lower scores,
// because feedback, which raises them, is off.
const (
	closeInMeaning = 0.5
	nearInMeaning  = 0.35
	nearOfFew      = 0.1
)

// parts returns the score by vectors and the lexical score of a ranked document, counted from 0.
func (c *Candidates) parts(r *Ranking, at int) (vectors, words float64) {
	score := float64(r.Scores[at])
	if c.Options.Logic.Words == 0 {
		return score, 0
	}
	shares, lexical := make([][]float32, len(c.Shares)), make([]float32, 1)
	for a, column := range c.Shares {
		shares[a] = column[r.Lines[at]:][:1]
	}
	c.lexical.whole.Of(lexical, shares)
	words = float64(lexical[0])
	return score - c.Options.Logic.Words*words, words
}

// FullScore returns the score of a ranked document, counted from 0, with words at their full
// weight. In collections of long documents the ranking gives them less.
func (c *Candidates) FullScore(r *Ranking, at int) float64 {
	vectors, words := c.parts(r, at)
	if words == 0 {
		return vectors
	}
	return vectors + c.Options.Logic.Words*words/c.lexical.query.WantedFactor()
}

// calibrate returns the probabilities of a ranking if the profile is calibrated, and drops the
// results below MinProbability.
func (c *Candidates) calibrate(ranking *Ranking) (probabilities []float64, err error) {
	o := c.Options
	op := o.Profile.Operator(c.Formula)
	op.Logic.Words = o.Profile.Words * c.wordsScale
	if l := o.Profile.Calibration; l == nil || !o.Mode.calculus() || *o.Logic != op.Logic || *o.Fusion != op.Fusion || c.Size.Documents < leastKnown {
		if o.MinProbability > 0 {
			return nil, badOption("match probabilities are not available: they need a calibrated profile, ranked by its own operators and words, and %d documents. This is profile %s in mode %s over %d documents. Leave the least probability out, or calibrate a profile with nsfl tune", leastKnown, o.Profile.Name, o.Mode, c.Size.Documents)
		}
		return nil, nil
	}
	length := profile.Length(c.Size.Vectors, c.Size.Documents)
	probabilities = make([]float64, len(ranking.Scores))
	least := 1.0 // no document is more probable than those above it
	for i := range probabilities {
		least = min(least, o.Profile.Calibration.Of(c.FullScore(ranking, i), length))
		probabilities[i] = least
	}
	n := len(probabilities)
	for n > 0 && probabilities[n-1] < o.MinProbability {
		n--
	}
	ranking.Lines, ranking.Scores = ranking.Lines[:n], ranking.Scores[:n]
	return probabilities[:n], nil
}
