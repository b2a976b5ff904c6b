package retrieve

import (
	"cmp"
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// plain is what plain retrieval says.
type plain struct {
	list   *list     // its best, as far down as results are looked at
	scores []float32 // of those
	shown  *shown
	rank   map[engine.Ref]int // of the hits and their copies
	was    map[int]int        // by the rank of a hit, that of the best of it and its copies
	depth  int                // ranks are known down to this one
	// degraded is what did not answer when a pool of its own was looked for.
	degraded []string
}

// plain ranks by the monolithic vector: the candidates, where they are what plain
// retrieval would find, otherwise a pool of its own.
func (s *Searcher) plain(ctx context.Context, c *Candidates, hits map[engine.Ref]int) (*plain, error) {
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
	lines, values := best(refs, scores, c.Options.depth())
	p.scores = values
	p.list = &list{columns: [][]float32{values}, ranks: hits, all: c.Options.AllCopies}
	for _, line := range lines {
		p.list.refs = append(p.list.refs, refs[line])
	}
	p.rank = ranks(refs, scores, hits)
	return p, nil
}

// fold chooses what is shown of plain retrieval. Ranks count copies as one.
func (p *plain) fold(ctx context.Context, s *shelf, o *Options, fits func(*leaf) bool) (all bool, err error) {
	if p.shown, err = s.fold(ctx, p.list, o, fits); err != nil {
		return false, err
	}
	listed := ranksOf(p.list, p.shown.all)
	p.was = map[int]int{}
	for ref, rank := range p.rank {
		shown, ok := listed[ref]
		if !ok {
			shown = rank
			for _, g := range p.shown.all {
				before, _ := slices.BinarySearch(g.copies, rank-1)
				shown -= before
			}
		}
		hit := p.list.ranks[ref]
		p.was[hit] = min(cmp.Or(p.was[hit], shown), shown)
	}
	return p.shown.fits, nil
}

// ranksOf are the ranks of the documents that are shown; copies have that of the first.
func ranksOf(l *list, shown []group) map[engine.Ref]int {
	out := map[engine.Ref]int{}
	for i, g := range shown {
		for _, at := range append([]int{g.first}, g.copies...) {
			out[l.refs[at]] = i + 1
		}
	}
	return out
}

// hits are what is shown of plain retrieval, with where each is now.
func (p *plain) hits(s *shelf) (out []PlainHit) {
	before := len(p.shown.all) - len(p.shown.groups)
	for i, g := range p.shown.groups {
		x := s.leaves[p.list.refs[g.first]]
		h := PlainHit{Rank: before + i + 1, ID: x.id, Title: x.title, Text: x.best.Text, Score: float64(p.scores[g.first]), CopyCount: len(g.copies)}
		for _, at := range append([]int{g.first}, g.copies...) {
			h.Now = max(h.Now, p.list.ranks[p.list.refs[at]])
		}
		out = append(out, h)
	}
	return out
}

// isPlain reports whether the candidates are the documents nearest to the
// monolithic vector, or all there are.
func (c *Candidates) isPlain() bool {
	mode := c.Options.Mode
	return c.Encoded.plain == nil && (mode == Exact || (mode == Rerank || mode == GeoRerank) && c.Options.Pool == Monolithic)
}

// ranks are the places of some documents in the order of scores, without sorting
// all of them.
func ranks(refs []engine.Ref, scores []float32, wanted map[engine.Ref]int) map[engine.Ref]int {
	var lines []int
	for i, ref := range refs {
		if wanted[ref] > 0 {
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
