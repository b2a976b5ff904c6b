package retrieve

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/sphere"
)

// Candidates are documents that were found for a formula, with their
// similarities to all that they may be ranked by.
type Candidates struct {
	*Encoded
	Mode     Mode
	Vector   []float32 // x or g, in the modes that have one
	Sphere   *sphere.Result
	Refs     []engine.Ref
	Terms    [][]float32 // a column for each term; those that nothing reads are zero
	Special  []float32   // the column of Vector
	Degraded []string

	known []bool // which columns of Terms hold similarities
}

// Find finds the candidates of a formula. The mode must not be Auto.
func (s *Searcher) Find(ctx context.Context, e *Encoded, o Options) (*Candidates, error) {
	o = o.withDefaults()
	c := &Candidates{Encoded: e, Mode: o.Mode}
	program, err := logic.Compile(e.Formula, o.Logic)
	if err != nil {
		return nil, &OptionError{err.Error()}
	}
	if err := c.aim(program, o); err != nil {
		return nil, err
	}
	terms, vectors := c.columns(program)
	var found *engine.Columns
	if o.Mode == Exact {
		scanner, ok := s.Store.(engine.Scanner)
		if !ok {
			return nil, &OptionError{"mode exact needs a store that can compare all documents at once; take rerank or hybrid with a large pool"}
		}
		found, err = scanner.Scan(ctx, vectors, e.Formula.Filter)
	} else {
		near, k := c.near(o), o.Candidates
		if !o.Mode.pooled() {
			k = o.K
		}
		found, err = s.Store.Pool(ctx, near, k, e.Formula.Filter, vectors)
	}
	if err != nil {
		return nil, err
	}
	if len(found.Similarities) != len(vectors) {
		return nil, fmt.Errorf("the store returned %d columns of similarities, %d were asked for", len(found.Similarities), len(vectors))
	}
	c.Refs, c.Degraded = found.Refs, found.Degraded
	c.arrange(terms, found.Similarities)
	return c, nil
}

// aim finds the one vector that a mode goes by, where it does.
func (c *Candidates) aim(p *logic.Program, o Options) error {
	var err error
	switch {
	case o.Mode == SQO || o.Mode == Hybrid:
		var r sphere.Result
		if _, or := c.Formula.Root.(*query.Or); o.Solver == Descended && !or {
			r, err = sphere.RSGD(p.Objective(), c.Vectors, sphere.RSGDOptions{Seed: 1})
		} else {
			r, err = sphere.Exact(p.Objective(), c.Vectors)
		}
		c.Sphere, c.Vector = &r, r.Vector
	case o.Mode.geometric():
		c.Vector, err = sphere.Geometric(c.Formula, c.Vectors)
	}
	if err != nil {
		return fmt.Errorf("looking for one vector for %s: %w", c.Formula.Root, err)
	}
	return nil
}

// columns are the vectors whose similarities are needed: those of the terms that
// are named, and then that of the mode. A formula reads the same terms with all
// options, so that candidates can be ranked again.
func (c *Candidates) columns(p *logic.Program) (terms []int, vectors [][]float32) {
	m := c.Formula.Terms.Index(c.Formula.Monolithic())
	for i, v := range c.Vectors {
		if p.Reads(i) || i == m {
			terms, vectors = append(terms, i), append(vectors, v)
		}
	}
	if c.Vector != nil {
		vectors = append(vectors, c.Vector)
	}
	return terms, vectors
}

// arrange puts columns to their terms.
func (c *Candidates) arrange(terms []int, columns [][]float32) {
	c.Terms, c.known = make([][]float32, len(c.Vectors)), make([]bool, len(c.Vectors))
	for i, t := range terms {
		c.Terms[t], c.known[t] = columns[i], true
	}
	var zeros []float32
	for t := range c.Terms {
		if c.Terms[t] == nil {
			if zeros == nil {
				zeros = make([]float32, len(c.Refs))
			}
			c.Terms[t] = zeros
		}
	}
	if c.Vector != nil {
		c.Special = columns[len(terms)]
	}
}

// near is what the candidates are to be near to.
func (c *Candidates) near(o Options) [][]float32 {
	switch {
	case c.Vector != nil && o.Mode != GeoRerank:
		if o.Pool == Union && o.Mode.pooled() {
			return append([][]float32{c.Vector}, c.wanted()...)
		}
		return [][]float32{c.Vector}
	case o.Pool == Union && o.Mode.pooled():
		return c.wanted()
	}
	return [][]float32{c.monolithic()}
}
