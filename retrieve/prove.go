package retrieve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/sphere"
)

// streams holds the vectors that order the reading of documents. Reading stops once no unread
// document can be among the best.
type streams struct {
	bound   *logic.Bound
	near    [][]float32 // at length 1
	lengths []float64
}

// streams returns the streams of a formula in Hybrid mode, or nil if its scores have no known
// bound.
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
			return nil // the vectors cancel out: all documents are equally near
		}
		st.near, st.lengths = append(st.near, v), append(st.lengths, length)
	}
	return st
}

// proof is a bound on the documents that were not read.
type proof struct {
	rest        float64 // upper bound on their scores
	approximate bool    // documents that the store's index missed are not covered
	open        string  // why there is no bound; empty if there is one
}

// Batch sizes of a proof. firstRead documents are read per stream at first, then growth times
// as many. A store that scans all documents starts with a larger batch, because the scan
// dominates the cost; with other stores each batch crosses the network. A search for many
// results may read up to mostForEach documents per result, more than the usual pool.
const (
	firstRead               = 128
	leastScanned, mostFirst = 512, 2048
	scannedForEach          = 100
	growth                  = 4
	mostForEach             = 16
)

// thoroughDocs is the largest collection whose documents are all scored lexically to complete a
// proof. That takes some tens of milliseconds.
const thoroughDocs = 1 << 18

// pace returns how many documents to read per stream at first, and at most.
func (s *Searcher) pace(p *Prepared, streams int) (first, most int) {
	first, most = firstRead, p.Options.most()
	if s.scans() {
		first = min(mostFirst, max(leastScanned, p.Size.Documents/(scannedForEach*streams)))
		if most = max(most, first); most < growth*first {
			first = most // a second scan would cost more than it could save
		}
	}
	return max(first, 2*p.Options.total()), most
}

// scans reports whether the store can compare all documents at little cost.
func (s *Searcher) scans() bool {
	return engine.CapabilitiesOf(s.Store).Scanner != nil
}

// prove reads documents in the order of the streams, first of them per stream to begin with,
// until the best results are proven or most documents per stream have been read.
func (s *Searcher) prove(ctx context.Context, c *Candidates, st *streams, first, most int) error {
	if err := c.drawColumns(ctx, st.near); err != nil {
		return err
	}
	for next := first; ; {
		k := min(most, next)
		next = growth * k
		found, err := s.take(ctx, c, st.near, k)
		if err != nil && c.Refs != nil && ctx.Err() == nil {
			c.Degraded = append(c.Degraded, "the store has failed while more was read: what was found until then is ranked")
			return nil
		}
		if err != nil {
			return err
		}
		ranking, err := c.Rank(c.Options.total())
		if err != nil {
			return err
		}
		proven := func(lexical float64) bool {
			c.proof = st.rest(found, ranking.Maxima, lexical)
			return c.proof.exact(ranking.Scores) == c.Options.total() || math.IsInf(c.proof.rest, -1)
		}
		if len(c.Degraded) > 0 || proven(c.lexical.unseenBound(st.bound, k)) {
			return nil
		}
		h := c.lexical
		unseen := h != nil && !h.thorough && proven(h.scoredBound(k)) // only the lexical bound is missing
		if unseen && s.scans() && c.Size.Documents <= thoroughDocs {
			if err := s.matchAllTerms(ctx, c.Prepared); err != nil {
				return err
			}
			next = k // repeat with the full lexical scores
			continue
		}
		if proven(h.unseenBound(st.bound, k)); k == most || unseen && h.shares.UnseenBounds == nil { // a longer list would not bound the words
			if unseen {
				c.proof.open = "words were looked up in some of the documents, and others may match more of them"
			}
			return nil
		}
		if found.UnseenBounds == nil { // reading more will not prove it
			next = most
		}
	}
}

// most returns the largest number of documents to read per query vector.
func (o *Options) most() int {
	if o.Mode == Hybrid {
		return max(o.Candidates, mostForEach*o.total())
	}
	return o.Candidates
}

// rest returns a bound on the scores of unread documents whose lexical score is at most lexical.
func (st *streams) rest(found *engine.Columns, maxima []float64, lexical float64) *proof {
	p := &proof{rest: math.Inf(1), approximate: found.Approximate}
	if len(found.UnseenBounds) != len(st.near) {
		p.open = "the store gives no bound on the documents that it did not return"
		return p
	}
	if readAll(found) {
		p.rest = math.Inf(-1)
		return p
	}
	limits := make([]float64, len(st.near))
	for i, x := range found.UnseenBounds {
		limits[i] = float64(x) * st.lengths[i]
	}
	if !st.bound.Holds(limits, maxima) {
		p.open = "documents that were not read may be nearer to the excluded part than all that were"
		return p
	}
	p.rest = st.bound.Score(limits, maxima, lexical)
	return p
}

// unbounded returns the proof for a formula whose scores have no known bound.
func unbounded(found *engine.Columns) *proof {
	if readAll(found) {
		return &proof{rest: math.Inf(-1), approximate: found.Approximate}
	}
	return &proof{rest: math.Inf(1), open: "scores of such a formula have no known bound"}
}

// readAll reports whether no documents remain unread.
func readAll(found *engine.Columns) bool {
	return slices.ContainsFunc(found.UnseenBounds, func(x float32) bool { return x < -1 })
}

// exact returns how many of the first scores are proven to be the best of all documents.
func (p *proof) exact(scores []float32) int {
	for i, x := range scores {
		if float64(x) < p.rest {
			return i
		}
	}
	return len(scores)
}

// Proven returns how many of the first results of a ranking are proven to be the best of all
// documents: all of them in Exact, none if no proof was attempted.
func (c *Candidates) Proven(r *Ranking) int {
	switch {
	case c.Options.Mode == Exact:
		return len(r.Scores)
	case c.proof == nil || len(c.Degraded) > 0:
		return 0
	}
	return c.proof.exact(r.Scores)
}

// Proof states how far the hits of a result are proven to be the best of all documents.
type Proof struct {
	Exact int `json:"exact" doc:"number of hits, from the first, that are proven to be the best of all documents"`
	Read  int `json:"read" doc:"number of documents that were read"`
	// Approximate means that the proof does not cover documents the store's index missed.
	Approximate bool   `json:"approximate,omitempty" doc:"the proof does not cover documents that the engine's index missed"`
	Says        string `json:"says" doc:"the proof in words"`
}

// prove returns the proof for the groups shown, or nil if no proof was attempted.
func (c *Candidates) prove(ranking *Ranking, shown []group) *Proof {
	if c.proof == nil {
		return nil
	}
	out := &Proof{Read: len(c.Refs), Approximate: c.proof.approximate}
	exact := c.Proven(ranking)
	for _, g := range shown {
		if g.first < exact {
			out.Exact++
		}
	}
	open := ""
	switch {
	case len(c.Degraded) > 0:
		open = "part of the store did not answer"
	case out.Exact == len(shown):
	case c.proof.open != "":
		open = c.proof.open
	default:
		open = fmt.Sprintf("a document that was not read could score %.3f; a larger pool may prove more", c.proof.rest)
	}
	out.Says = out.say(open, c.Options.Offset, c.Size.Documents)
	return out
}

// Short summarizes a proof over a store of the given number of documents.
func (p *Proof) Short(documents int) string {
	best := fmt.Sprintf("the best of all %d documents", documents)
	if p.Approximate {
		best += ", as far as the store's index finds them"
	}
	switch p.Exact {
	case 0:
		return fmt.Sprintf("%d of %d documents were read, and others may be as good", p.Read, documents)
	case 1:
		return "the first is " + best
	}
	return fmt.Sprintf("the first %d are %s", p.Exact, best)
}

// say words a proof and, if it does not cover every hit, the reason.
func (p *Proof) say(open string, offset, documents int) string {
	read := fmt.Sprintf("%d of %d documents read", p.Read, documents)
	first := fmt.Sprintf("the first %d are exact", offset+p.Exact)
	if offset+p.Exact == 1 {
		first = "the first is exact"
	}
	if p.Approximate {
		first += " to the index's recall"
	}
	switch {
	case open == "":
		return fmt.Sprintf("proven: %s, %s", first, read)
	case p.Exact == 0:
		return fmt.Sprintf("not proven: %s; %s", open, read)
	}
	return fmt.Sprintf("proven: %s, %s; of the others %s", first, read, open)
}
