package retrieve

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/profile"
)

// Background is the distribution of a formula's scores over all documents, of which only a few
// are relevant.
type Background struct {
	Mean, Deviation float64
}

// Z returns how many standard deviations a score lies above the mean.
func (b Background) Z(score float64) float64 {
	if !(b.Deviation > 0) {
		return 0
	}
	return (score - b.Mean) / b.Deviation
}

// background returns the score distribution over all documents, or over a sample if not all
// were ranked. A score thus means the same in every mode.
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
			shares, err := c.lexical.store.TermScores(ctx, c.lexical.query, columns.Refs)
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

// leastKnown is the smallest store whose documents support a probability or feedback.
const leastKnown = 50

// noMatch starts the note on a search whose best result is unlikely to match.
const noMatch = "no document seems to match"

// unlikely is the probability below which that note is added.
const unlikely = 0.06

// closeInMeaning is the vector score of the built-in encoder that the best documents for a query
// about something else do not reach. From there on the note is not added: a long description
// shares few words with its page, which lowers the probability.
const closeInMeaning = 0.55

// vectorScore returns the score at a rank, counted from 0, without its lexical part.
func (c *Candidates) vectorScore(r *Ranking, at int) float64 {
	score := float64(r.Scores[at])
	if c.Options.Logic.Words == 0 {
		return score
	}
	shares, lexical := make([][]float32, len(c.Shares)), make([]float32, 1)
	for a, column := range c.Shares {
		shares[a] = column[r.Lines[at]:][:1]
	}
	c.lexical.whole.Of(lexical, shares)
	return score - c.Options.Logic.Words*float64(lexical[0])
}

// calibrate returns the probabilities of a ranking if the profile is calibrated, and drops the
// results below MinProbability.
func (s *Searcher) calibrate(ctx context.Context, c *Candidates, ranking *Ranking) (probabilities []float64, err error) {
	o := c.Options
	op := o.Profile.Operator(c.Formula)
	op.Logic.Words = o.Profile.Words * c.wordsScale
	if l := o.Profile.Calibration; l == nil || !o.Mode.calculus() || *o.Logic != op.Logic || *o.Fusion != op.Fusion || c.Size.Documents < leastKnown {
		if o.MinProbability > 0 {
			return nil, badOption("match probabilities are not available: they need a calibrated profile, ranked by its own operators and words, and %d documents. This is profile %s in mode %s over %d documents. Leave the least probability out, or calibrate a profile with nsfl tune", leastKnown, o.Profile.Name, o.Mode, c.Size.Documents)
		}
		return nil, nil
	}
	b, err := s.background(ctx, c, ranking)
	if err != nil {
		return nil, err
	}
	length := profile.Length(c.Size.Vectors, c.Size.Documents)
	probabilities = make([]float64, len(ranking.Scores))
	for i, score := range ranking.Scores {
		probabilities[i] = o.Profile.Calibration.Of(b.Z(float64(score)), float64(score), length)
	}
	// Scores decrease along the ranking, and so do probabilities.
	n := len(probabilities)
	for n > 0 && probabilities[n-1] < o.MinProbability {
		n--
	}
	ranking.Lines, ranking.Scores = ranking.Lines[:n], ranking.Scores[:n]
	return probabilities[:n], nil
}
