package retrieve

import (
	"context"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/sphere"
)

// Candidates holds the documents found for a query, with every similarity that may rank them.
type Candidates struct {
	*Prepared
	Vector   []float32 // x or g, in modes that have one
	Refs     []engine.Ref
	Terms    [][]float32 // one column per term; zero if the program does not read the term
	Shares   [][]float32 // lexical share of each atom; nil if the lexical score does not count
	Degraded []string

	near  []float32 // similarities to Vector
	read  []bool    // columns of Terms that hold similarities
	proof *proof    // nil if no proof was attempted
	// maxima holds the gate maxima over all documents; nil if unknown.
	maxima []float64
}

// Find finds the candidates of a prepared query. Exact returns all documents, Hybrid as many
// as a proof of the best results takes, and other modes a pool.
func (s *Searcher) Find(ctx context.Context, p *Prepared) (*Candidates, error) {
	return s.find(ctx, p, s.pace)
}

// FindWithin is like Find, but Hybrid reads exactly n documents for each vector of its proof.
func (s *Searcher) FindWithin(ctx context.Context, p *Prepared, n int) (*Candidates, error) {
	return s.find(ctx, p, func(*Prepared, int) (first, most int) { return n, n })
}

func (s *Searcher) find(ctx context.Context, p *Prepared, pace func(p *Prepared, streams int) (first, most int)) (*Candidates, error) {
	lap, ctx := stopwatch(), engine.AsOf(ctx)
	own := *p // each search has its own timings
	c := &Candidates{Prepared: &own}
	var err error
	if r := s.ranker(p); r != nil {
		err = s.ranked(ctx, c, r)
	} else if st := p.streams(); st != nil {
		first, most := pace(p, len(st.near))
		err = s.prove(ctx, c, st, first, most)
	} else {
		err = s.findPool(ctx, c)
	}
	lap(&own.times.Find)
	return c, err
}

// findPool finds a pool or, in Exact, all documents.
func (s *Searcher) findPool(ctx context.Context, c *Candidates) error {
	aim, err := c.aim()
	if err != nil {
		return err
	}
	c.Vector = aim.Vector
	near := c.poolNear()
	if err := c.drawColumns(ctx, near); err != nil {
		return err
	}
	k := c.Options.Candidates
	if !c.Options.Mode.pooled() {
		k = c.Options.depth()
	}
	found, err := s.take(ctx, c, near, k)
	if err == nil && c.Options.Mode == Hybrid {
		c.proof = unbounded(found)
	}
	return err
}

// take stores the documents nearest to the given vectors, or all documents in Exact, together
// with the lexical candidates.
func (s *Searcher) take(ctx context.Context, c *Candidates, near [][]float32, k int) (*engine.Columns, error) {
	terms, vectors := c.columns()
	var found *engine.Columns
	var err error
	if c.Options.Mode == Exact {
		found, err = s.scanner().Scan(ctx, vectors, c.Formula.Filter) // Prepare has checked that the store can scan
	} else {
		found, err = s.Store.Pool(ctx, near, k, c.Formula.Filter, vectors)
	}
	if err != nil {
		return nil, err
	}
	return found, s.keep(ctx, c, found, terms, vectors, k)
}

// scanner returns the store if it can compare all documents, at whatever cost.
func (s *Searcher) scanner() engine.Scanner {
	if c := engine.CapabilitiesOf(s.Store); c.Scanner != nil {
		return c.Scanner
	} else if c.SlowScanner != nil {
		return c.SlowScanner
	}
	return nil
}

// keep stores the documents that were found, together with the lexical candidates.
func (s *Searcher) keep(ctx context.Context, c *Candidates, found *engine.Columns, terms []int, vectors [][]float32, k int) error {
	if len(found.Similarities) != len(vectors) {
		return fmt.Errorf("the store returned %d columns of similarities, %d were asked for", len(found.Similarities), len(vectors))
	}
	shares, err := s.join(ctx, c.Prepared, found, vectors, k)
	if err != nil {
		return err
	}
	c.Refs, c.Shares, c.Degraded = found.Refs, shares, found.Degraded
	c.arrange(terms, found.Similarities)
	return nil
}

// aim finds the single query vector of a mode; modes without one get nil. The paper's descent
// has no single maximum for a disjunction, so the exact solver handles it.
func (p *Prepared) aim() (r sphere.Result, err error) {
	switch mode := p.Options.Mode; {
	case mode == SQO || mode == Hybrid:
		if p.Options.Solver == RSGD && !query.HasAlternatives(p.Formula.Root) {
			r, err = sphere.RSGD(p.program.Objective(), p.Vectors, 1)
		} else {
			r, err = sphere.Exact(p.program.Objective(), p.Vectors)
		}
	case mode.geometric():
		r.Method = "geometric"
		r.Vector, err = sphere.Geometric(p.Formula, p.Vectors)
	}
	if err != nil {
		return r, fmt.Errorf("looking for one vector for %s: %w", p.Formula.Root, err)
	}
	return r, nil
}

// columns returns the vectors to compare documents with: the vectors of the terms listed, then
// the mode's own vector. The terms that a program reads depend only on the formula.
func (c *Candidates) columns() (terms []int, vectors [][]float32) {
	m := c.Formula.Terms.Index(c.Formula.Monolithic())
	for i, v := range c.Vectors {
		if c.program.Reads(i) || i == m {
			terms, vectors = append(terms, i), append(vectors, v)
		}
	}
	if c.Vector != nil {
		vectors = append(vectors, c.Vector)
	}
	return terms, vectors
}

// arrange assigns columns to their terms.
func (c *Candidates) arrange(terms []int, columns [][]float32) {
	c.Terms, c.read = make([][]float32, len(c.Vectors)), make([]bool, len(c.Vectors))
	for i, t := range terms {
		c.Terms[t], c.read[t] = columns[i], true
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
		c.near = columns[len(terms)]
	}
}

// poolNear returns the vectors that define the pool.
func (c *Candidates) poolNear() [][]float32 {
	var near [][]float32
	if c.Vector != nil && c.Options.Mode != GeoRerank {
		near = append(near, c.Vector)
	}
	switch {
	case c.Options.Pool == Union && c.Options.Mode.pooled():
		return append(near, c.wanted()...)
	case len(near) == 0:
		return [][]float32{c.monolithic()}
	}
	return near
}

// all returns the columns that the program reads.
func (c *Candidates) all() [][]float32 {
	if c.Options.Logic.Words == 0 {
		return c.Terms
	}
	return slices.Concat(c.Terms, c.Shares)
}

// Reads reports whether the similarities to term t were computed.
func (c *Candidates) Reads(t int) bool { return c.read[t] }
