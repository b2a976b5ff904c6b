package retrieve

import (
	"context"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/sphere"
	"github.com/nsfl-go/nsfl/vec"
)

// streams are the vectors in whose order documents are read until what is left cannot be
// among the best.
type streams struct {
	bound   *logic.Bound
	near    [][]float32 // at length 1
	lengths []float64
}

// streams are those of a formula, for Hybrid; nil where no bound of its scores is known.
func (p *Prepared) streams() *streams {
	if p.Options.Mode != Hybrid {
		return nil
	}
	bound, ok := p.program.Bound(func(combinations [][]float64) []float64 { return sphere.Shortest(p.Vectors, combinations) })
	if !ok {
		return nil
	}
	st := &streams{bound: bound}
	for _, factors := range bound.Streams {
		v := make([]float32, len(p.Vectors[0]))
		for t, x := range factors {
			if x != 0 {
				vec.AddScaled(v, p.Vectors[t], float32(x))
			}
		}
		length := vec.Norm(v)
		if vec.Normalize(v) != nil {
			return nil // vectors cancel out: every document is as near as any other
		}
		st.near, st.lengths = append(st.near, v), append(st.lengths, length)
	}
	return st
}

// proof is what is known of the documents that were not read.
type proof struct {
	rest        float64 // no score of theirs exceeds it
	approximate bool    // but for those that the store's index has overlooked
	open        string  // why it says nothing, in words; empty: it says something
}

// How many documents are read for each stream at first, and how many times as many after
// that: fewer where a network lies between than where the cost of a pool hardly depends on
// its size. For many results more is read than a pool has as a rule.
const (
	firstRead, firstScanned = 128, 512
	growth                  = 4
	mostForEach             = 16
)

// first is how many documents are read for each stream at first.
func (s *Searcher) first(o *Options) int {
	n := firstRead
	if s.scans() {
		n = firstScanned
	}
	return max(n, 2*o.K)
}

// scans reports whether the store can look at all documents.
func (s *Searcher) scans() bool {
	_, ok := s.Store.(engine.Scanner)
	return ok
}

// prove reads documents in the order of streams, so many of each at first, until the best
// are proven to be those of all documents, or until there are as many as there may be.
func (s *Searcher) prove(ctx context.Context, c *Candidates, st *streams, first, most int) error {
	if err := c.drawColumns(ctx, st.near); err != nil {
		return err
	}
	for next := first; ; {
		k := min(most, next)
		next = growth * k
		found, err := s.take(ctx, c, st.near, k)
		if err != nil {
			return err
		}
		ranking, err := c.Rank(c.Options.K)
		if err != nil {
			return err
		}
		proven := func(said float64) bool {
			c.proof = st.rest(found, ranking.Maxima, said)
			return c.proof.exact(ranking.Scores) == c.Options.K || math.IsInf(c.proof.rest, -1)
		}
		h := c.heard
		if len(c.Degraded) > 0 || proven(h.rest(st.bound, k)) {
			return nil
		}
		// Where nothing but words that nobody has looked for can stand in the way, they are.
		if s.scans() && h != nil && !h.thorough && proven(h.looked(k)) {
			if err := s.listenAll(ctx, c.Prepared); err != nil {
				return err
			}
			if found, err = s.take(ctx, c, st.near, k); err != nil {
				return err
			}
			if ranking, err = c.Rank(c.Options.K); err != nil {
				return err
			}
			h = c.heard
		}
		if proven(h.rest(st.bound, k)) || k == most {
			return nil
		}
		if found.Beyond == nil { // no number will prove it
			next = most
		}
	}
}

// most is how many documents are found at most for each vector that they are near to.
func (o *Options) most() int {
	if o.Mode == Hybrid {
		return max(o.Candidates, mostForEach*o.K)
	}
	return o.Candidates
}

// rest is what no document that was not read exceeds in its score, where words can say so
// much of it.
func (st *streams) rest(found *engine.Columns, maxima []float64, said float64) *proof {
	p := &proof{rest: math.Inf(1), approximate: found.Approximate}
	if len(found.Beyond) != len(st.near) {
		p.open = "the store does not tell what lies beyond what it finds"
		return p
	}
	limits := make([]float64, len(st.near))
	for i, x := range found.Beyond {
		if x < -1 { // all there are have been read
			p.rest = math.Inf(-1)
			return p
		}
		limits[i] = float64(x) * st.lengths[i]
	}
	if !st.bound.Holds(limits, maxima) {
		p.open = "documents that were not read may be nearer to what is excluded than all that were"
		return p
	}
	p.rest = st.bound.Score(limits, maxima, said)
	return p
}

// exact is how many of the first scores are those of the best of all documents.
func (p *proof) exact(scores []float32) int {
	for i, x := range scores {
		if float64(x) < p.rest {
			return i
		}
	}
	return len(scores)
}

// Proven is how many of the first of a ranking are the best of all documents: in Exact all,
// where no proof was looked for none.
func (c *Candidates) Proven(r *Ranking) int {
	switch {
	case c.Options.Mode == Exact:
		return len(r.Scores)
	case c.proof == nil || len(c.Degraded) > 0:
		return 0
	}
	return c.proof.exact(r.Scores)
}

// Proof is how far a ranking is proven to be that of all documents.
type Proof struct {
	Exact int `json:"exact" doc:"so many of the first hits are the best of all documents"`
	// Approximate says that this holds but for documents that the index of an engine has
	// overlooked.
	Approximate bool   `json:"approximate,omitempty" doc:"but for documents that the engine's index has overlooked"`
	Open        string `json:"open,omitempty" doc:"why not all hits are proven to be"`
}

// prove is the proof of what is shown of a ranking; nil where none was looked for.
func (c *Candidates) prove(ranking *Ranking, shown []group) *Proof {
	if c.proof == nil {
		return nil
	}
	out := &Proof{Approximate: c.proof.approximate}
	exact := c.Proven(ranking)
	for _, g := range shown {
		if g.first < exact {
			out.Exact++
		}
	}
	switch {
	case len(c.Degraded) > 0:
		*out = Proof{Open: "a part of the store did not answer"}
	case out.Exact < len(shown) && c.proof.open != "":
		out.Open = c.proof.open
	case out.Exact < len(shown):
		out.Open = fmt.Sprintf("a document that was not read could have a score of %.3f; --candidates reads more", c.proof.rest)
	}
	return out
}

// String says it in words.
func (p *Proof) String() string {
	if p.Exact == 0 {
		return "not proven: " + p.Open
	}
	what := fmt.Sprintf("the first %d are exact", p.Exact)
	if p.Exact == 1 {
		what = "the first is exact"
	}
	if p.Approximate {
		what += ", to the index's recall"
	}
	return "proven: " + what
}
