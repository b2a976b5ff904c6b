package retrieve

import (
	"fmt"

	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// mentions is the lexical share of an atom below which a document has only its common words, or
// similar ones.
const mentions = 0.1

// dropUnsupported removes the last groups of shown if nothing supports them: they mention no word
// of a wanted atom, nor a similar one, and are not near in meaning, or what the formula excludes
// leaves no positive score. Meaningless vectors support nothing. It returns how many it removed.
// Where words do not count, a wanted atom has none, or the scores of the encoder are not known,
// everything is supported.
func (s *Searcher) dropUnsupported(c *Candidates, ranking *Ranking, meaningless bool, shown *shown) int {
	if c.Options.Logic.Words == 0 || !s.builtin() {
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
	least := nearInMeaning
	if c.Size.Documents < leastKnown {
		least = nearOfFew
	}
	supported := func(at int) bool {
		if len(negated) > 0 && ranking.Scores[at] <= 0 {
			return false
		}
		for _, share := range wanted {
			if float64(share[ranking.Lines[at]]) > mentions*c.lexical.query.WantedFactor() {
				return true
			}
		}
		return !meaningless && s.isNear(c, ranking, at, least)
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

// isNear reports whether the built-in encoder gives a ranked document, counted from 0, at least
// a score by vectors.
func (s *Searcher) isNear(c *Candidates, r *Ranking, at int, least float64) bool {
	vectors, _ := c.parts(r, at)
	return s.builtin() && vectors >= least
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
