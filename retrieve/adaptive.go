package retrieve

import (
	"context"
	"slices"
)

// An adaptive pool begins with so many documents for each result that is wanted.
const (
	adaptiveFactor = 4
	adaptiveFirst  = 64
)

// adapt finds candidates with the smallest pool that keeps the results: it doubles
// the pool until none of the best K come from its farther half, or it has the size
// that was allowed. What is farther still is then unlikely to hold any.
func (s *Searcher) adapt(ctx context.Context, e *Encoded, o Options) (*Candidates, error) {
	most := o.Candidates
	o.Adaptive = false
	asked := 0
	for o.Candidates = min(most, max(adaptiveFirst, adaptiveFactor*o.K)); ; o.Candidates = min(most, 2*o.Candidates) {
		c, err := s.Find(ctx, e, o)
		if err != nil {
			return nil, err
		}
		asked += len(c.Refs)
		settled := o.Candidates == most || len(c.Refs) < o.Candidates
		if !settled {
			ranking, err := c.Rank(o.Logic, o.K)
			if err != nil {
				return nil, err
			}
			settled = c.settled(ranking)
		}
		if settled {
			c.Asked = asked
			return c, nil
		}
	}
}

// settled reports whether all lines of a ranking are in the half of the candidates
// that is nearer to what the pool was made by.
func (c *Candidates) settled(r *Ranking) bool {
	near := c.Special
	if c.Vector == nil || c.Mode == GeoRerank {
		near = c.Terms[c.Formula.Terms.Index(c.Formula.Monolithic())]
	}
	sorted := slices.Clone(near)
	slices.Sort(sorted)
	middle := sorted[len(sorted)/2]
	return !slices.ContainsFunc(r.Lines, func(line int) bool { return near[line] < middle })
}
