package retrieve

import (
	"cmp"
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// plain holds the results of plain retrieval.
type plain struct {
	list   *list     // the best results, to the depth that is examined
	scores []float32 // scores of list
	shown  *shown
	rank   map[engine.Ref]int // plain ranks of the hits and their copies
	was    map[int]int        // plain rank by hit rank; the best rank among a hit and its copies
	depth  int                // deepest known rank
	// degraded lists the parts of the store that did not answer the plain query.
	degraded []string
}

// plain ranks by the monolithic vector. It reuses the candidates if plain retrieval would find
// the same ones, and otherwise searches the store.
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

// fold selects the plain results to show. Ranks count a document and its copies once.
func (p *plain) fold(ctx context.Context, s *docCache, o *Options, fits func(*loadedDoc) bool) (all bool, err error) {
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

// ranksOf returns the ranks of the documents shown. Copies share the rank of the first.
func ranksOf(l *list, shown []group) map[engine.Ref]int {
	out := map[engine.Ref]int{}
	for i, g := range shown {
		for _, at := range append([]int{g.first}, g.copies...) {
			out[l.refs[at]] = i + 1
		}
	}
	return out
}

// hits returns the plain results to show, each with its rank among the hits.
func (p *plain) hits(s *docCache) (out []PlainHit) {
	before := len(p.shown.all) - len(p.shown.groups)
	for i, g := range p.shown.groups {
		x := s.docs[p.list.refs[g.first]]
		h := PlainHit{Rank: before + i + 1, ID: x.id, Title: x.title, Text: x.best.Text, Score: float64(p.scores[g.first]), CopyCount: len(g.copies)}
		for _, at := range append([]int{g.first}, g.copies...) {
			h.Now = max(h.Now, p.list.ranks[p.list.refs[at]])
		}
		out = append(out, h)
	}
	return out
}

// isPlain reports whether the candidates are all documents or those nearest to the encoder's
// own monolithic vector.
func (c *Candidates) isPlain() bool {
	mode := c.Options.Mode
	return c.Encoded.plain == nil && (mode == Exact || (mode == Rerank || mode == GeoRerank) && c.Options.Pool == Monolithic)
}

// ranks returns the ranks of the wanted documents by score, without sorting all scores.
func ranks(refs []engine.Ref, scores []float32, wanted map[engine.Ref]int) map[engine.Ref]int {
	var lines []int
	for i, ref := range refs {
		if wanted[ref] > 0 {
			lines = append(lines, i)
		}
	}
	order := order(refs, scores)
	slices.SortFunc(lines, order)
	// ahead[j] counts the lines that rank at or above lines[j] but below lines[j-1].
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
