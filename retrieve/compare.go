package retrieve

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// plain is what plain retrieval says.
type plain struct {
	refs   []engine.Ref // its best, as many as results are wanted
	scores []float32    // of those
	rank   map[engine.Ref]int
	depth  int // ranks are known down to this one
	// degraded is what did not answer when a pool of its own was looked for.
	degraded []string
}

// plain ranks by the monolithic vector: the candidates, where they are what plain
// retrieval would find, otherwise a pool of its own.
func (s *Searcher) plain(ctx context.Context, c *Candidates, ranking *Ranking) (*plain, error) {
	p := &plain{}
	refs, scores := c.Refs, c.Terms[c.Formula.Terms.Index(c.Formula.Monolithic())]
	if !c.isPlain() {
		m := [][]float32{c.unmoved()}
		found, err := s.Store.Pool(ctx, m, c.Options.Candidates, c.Formula.Filter, m)
		if err != nil {
			return nil, err
		}
		refs, scores, p.degraded = found.Refs, found.Similarities[0], found.Degraded
	}
	p.depth = len(scores)
	lines, values := best(refs, scores, c.Options.K)
	p.scores = values
	for _, line := range lines {
		p.refs = append(p.refs, refs[line])
	}
	hits := make(map[engine.Ref]bool, len(ranking.Lines))
	for _, line := range ranking.Lines {
		hits[c.Refs[line]] = true
	}
	p.rank = ranks(refs, scores, hits)
	return p, nil
}

// isPlain reports whether the candidates are the documents nearest to the
// monolithic vector, or all there are.
func (c *Candidates) isPlain() bool {
	mode := c.Options.Mode
	return c.Encoded.plain == nil && (mode == Exact || (mode == Rerank || mode == GeoRerank) && c.Options.Pool == Monolithic)
}

// ranks are the places of some documents in the order of scores, without sorting
// all of them.
func ranks(refs []engine.Ref, scores []float32, wanted map[engine.Ref]bool) map[engine.Ref]int {
	var lines []int
	for i, ref := range refs {
		if wanted[ref] {
			lines = append(lines, i)
		}
	}
	order := order(refs, scores)
	slices.SortFunc(lines, order)
	// A line is ahead of, or is, all wanted ones from the first that it is not
	// behind.
	ahead := make([]int, len(lines)+1)
	for i := range scores {
		first, _ := slices.BinarySearchFunc(lines, i, order)
		ahead[first]++
	}
	rank := make(map[engine.Ref]int, len(lines))
	sum := 0
	for j, line := range lines {
		sum += ahead[j]
		rank[refs[line]] = sum
	}
	return rank
}
