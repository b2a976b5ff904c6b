package retrieve

import (
	"fmt"

	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// Floors below which a document without any wanted word is not a result. The probability is
// that of a calibrated profile. Without one, the score of the built-in encoder decides.
const (
	leastProbability = 0.15
	leastScore       = 0.1
	mentions         = 0.1 // lexical share of an atom; below, only its common words or similar ones are there
)

// dropUnsupported removes the last groups of shown if nothing supports them: they mention no word
// of a wanted atom, nor a similar one, and are unlikely to match, or what the formula excludes
// leaves no positive score. If the vectors of the query are meaningless, they support nothing.
// It returns how many it removed. Where words do not count, a wanted atom has none, or the
// scores of the encoder are not known, everything is supported.
func (s *Searcher) dropUnsupported(c *Candidates, ranking *Ranking, probabilities []float64, meaningless bool, shown *shown) int {
	if c.Options.Logic.Words == 0 || probabilities == nil && !s.builtin() {
		return 0
	}
	negated := query.Negated(c.Formula.Root)
	var wanted [][]float32
	number := 0
	for _, a := range c.Formula.Terms.Atoms() {
		if !negated[a.String()] {
			if number >= len(c.Shares) || a.Kind != query.Text {
				return 0
			}
			wanted = append(wanted, c.Shares[number])
		}
		number++
	}
	if len(wanted) == 0 {
		return 0
	}
	supported := func(at int) bool {
		if len(negated) > 0 && ranking.Scores[at] <= 0 {
			return false
		}
		for _, share := range wanted {
			if share[ranking.Lines[at]] > mentions {
				return true
			}
		}
		if probabilities != nil {
			return probabilities[at] >= leastProbability
		}
		return !meaningless && float64(ranking.Scores[at]) >= leastScore
	}
	n := len(shown.groups)
	for n > 0 && !supported(shown.groups[n-1].first) {
		n--
	}
	dropped := len(shown.groups) - n
	if dropped > 0 {
		shown.all = shown.all[:len(shown.all)-dropped]
		shown.groups = shown.groups[:n]
		shown.more = false
	}
	return dropped
}

// builtin reports whether the encoder is the built-in one, which knows English only.
func (s *Searcher) builtin() bool {
	return s.Encoder != nil && s.Encoder.Identity().Name == profile.Builtin().Encoder
}

// unsupportedNote tells the reader how many results were dropped.
func unsupportedNote(dropped, left int) string {
	if left == 0 {
		return fmt.Sprintf("no document mentions a wanted word or a similar one; left out as unlikely: the %d nearest in meaning (all shows them)", dropped)
	}
	return fmt.Sprintf("left out: %d of the best %d, which are unlikely to match (all shows them)", dropped, dropped+left)
}
