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
func (s *Searcher) plain(ctx context.Context, c *Candidates, ranking *Ranking, o Options) (*plain, error) {
	p := &plain{}
	pool, scores := c, c.Terms[c.Formula.Terms.Index(c.Formula.Monolithic())]
	if !c.isPlain(o) {
		m := [][]float32{c.unmoved()}
		found, err := s.Store.Pool(ctx, m, o.Candidates, c.Formula.Filter, m)
		if err != nil {
			return nil, err
		}
		pool, scores = &Candidates{Refs: found.Refs}, found.Similarities[0]
		p.degraded = found.Degraded
	}
	p.depth = len(scores)
	lines, values := pool.best(scores, o.K)
	p.scores = values
	for _, line := range lines {
		p.refs = append(p.refs, pool.Refs[line])
	}
	hits := make(map[engine.Ref]bool, len(ranking.Lines))
	for _, line := range ranking.Lines {
		hits[c.Refs[line]] = true
	}
	p.rank = pool.ranks(scores, hits)
	return p, nil
}

// isPlain reports whether the candidates are the documents nearest to the
// monolithic vector, or all there are.
func (c *Candidates) isPlain(o Options) bool {
	return c.plain == nil && (c.Mode == Exact || (c.Mode == Rerank || c.Mode == GeoRerank) && o.Pool == Monolithic)
}

// ranks are the places of some documents in the order of scores, without sorting
// all of them.
func (c *Candidates) ranks(scores []float32, wanted map[engine.Ref]bool) map[engine.Ref]int {
	var lines []int
	for i, ref := range c.Refs {
		if wanted[ref] {
			lines = append(lines, i)
		}
	}
	order := c.order(scores)
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
		rank[c.Refs[line]] = sum
	}
	return rank
}
