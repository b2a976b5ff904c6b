package retrieve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Search runs a query: it prepares, finds, ranks and presents.
func (s *Searcher) Search(ctx context.Context, q *Question, o Options) (*Result, error) {
	ctx = engine.AsOf(ctx)
	p, err := s.Prepare(ctx, q, o)
	if err != nil {
		return nil, err
	}
	c, err := s.Find(ctx, p)
	if err != nil {
		return nil, err
	}
	ranking, err := c.Best()
	if err != nil {
		return nil, err
	}
	return s.Present(ctx, c, ranking)
}

// Present turns a ranking into a result: it reads as many documents as the options ask for,
// extracts snippets and folds copies. On request it also compares with plain retrieval and
// explains scores.
func (s *Searcher) Present(ctx context.Context, c *Candidates, ranking *Ranking) (*Result, error) {
	ctx = engine.AsOf(ctx)
	if err := c.Options.drawResult(ctx); err != nil {
		return nil, err
	}
	own := *ranking // calibrate shortens the copy, not the caller's ranking
	p := &presentation{
		Searcher: s, c: c, ranking: &own, result: s.newResult(c, ranking),
		budget: newByteBudget(c.Options.Bytes), cache: newDocCache(s.Store, c.Prepared),
	}
	lap := stopwatch()
	steps := []struct {
		run  func(context.Context) error
		took *time.Duration
	}{
		{p.rate, nil},
		{p.count, nil},
		{p.choose, &p.result.Timings.Read},
		{p.compare, &p.result.Timings.Compare},
		{p.build, nil},
		{p.addTexts, &p.result.Timings.Read},
		{p.explain, &p.result.Timings.Explain},
	}
	for _, step := range steps {
		if err := step.run(ctx); err != nil {
			return nil, err
		}
		if step.took != nil {
			lap(step.took)
		}
	}
	return p.result, nil
}

// presentation is a result in the making.
type presentation struct {
	*Searcher
	c       *Candidates
	ranking *Ranking
	result  *Result
	budget  *byteBudget
	cache   *docCache

	found         *list     // the ranked documents
	shown         *shown    // those to show
	probabilities []float64 // of the ranking; nil if unknown
	cut           int       // documents that rate removed from the ranking
	plain         *plain    // nil unless a comparison was requested
}

// newResult describes the search.
func (s *Searcher) newResult(c *Candidates, ranking *Ranking) *Result {
	o := &c.Options
	r := &Result{
		Query: c.Question.Text, Understood: c.Question.Understood,
		Formula: c.Formula.Root.String(), Mode: o.Mode, Reason: c.Reason, Fusion: o.Fusion.String(),
		Encoder: s.Encoder.Identity().String(), Strings: c.Plan.Strings, Cut: c.Cut,
		Documents: c.Size.Documents, Ranked: len(c.Refs), Degraded: slices.Clone(c.Degraded), // the candidates may be presented again
		Offset: o.Offset, Timings: c.times,
	}
	r.Timings.Rank = ranking.took
	if c.Formula.Filter != nil {
		r.Filter = c.Formula.Filter.String()
	}
	if c.Profile != nil {
		r.Profile, r.Refined = c.Profile.Name, c.Profile.Moves()
	}
	return r
}

// note adds a note for the reader.
func (p *presentation) note(format string, args ...any) {
	p.result.Notes = append(p.result.Notes, fmt.Sprintf(format, args...))
}

// rate computes probabilities and removes documents below the least one asked for.
func (p *presentation) rate(context.Context) (err error) {
	before := len(p.ranking.Lines)
	p.probabilities, err = p.c.calibrate(p.ranking)
	p.cut = before - len(p.ranking.Lines)
	return err
}

// count counts the values of the requested fields.
func (p *presentation) count(ctx context.Context) (err error) {
	if len(p.c.Options.Facets) > 0 {
		p.result.Facets, err = p.facets(ctx, p.c, p.ranking, p.budget)
	}
	return err
}

// choose reads documents, decides which to show, and notes what the reader should know about
// the choice.
func (p *presentation) choose(ctx context.Context) (err error) {
	c, r, o := p.c, p.result, &p.c.Options
	p.found = c.list(p.ranking)
	similarities := c.similarityBytes()
	p.shown, err = p.cache.fold(ctx, p.found, o, func(x *loadedDoc) bool { return p.budget.take(similarities + x.bytes()) })
	if err != nil {
		return err
	}
	if p.shown.fits {
		r.LeftOut = min(p.cut, o.K-len(p.shown.groups))
	}
	meaningless := false
	if !c.filterOnly {
		if meaningless, err = p.spell(ctx, c, r); err != nil {
			return err
		}
	}
	unsupported := 0
	if !o.All {
		unsupported = p.dropUnsupported(c, p.ranking, meaningless, p.shown)
	}
	if p.shown.more && len(p.shown.all) < MaxK {
		r.Next = len(p.shown.all)
	}
	p.describe()
	if unsupported > 0 {
		r.LeftOut += unsupported
		p.note("%s", unsupportedNote(unsupported, len(p.shown.groups)))
	}
	if r.More = !p.shown.fits; r.More {
		p.note("%s", o.crowded("results", len(p.shown.groups)))
	}
	if p.shown.deep {
		p.note("%d of the best documents are copies of those shown, so no others were looked for; all copies can be shown", copyDepth)
	}
	return nil
}

// describe adds the notes on the query and on its formula.
func (p *presentation) describe() {
	c, r := p.c, p.result
	if len(r.Understood) == 0 { // otherwise the plain-language reader chose the atoms
		r.Notes = append(r.Notes, query.Hints(c.Formula.Root)...)
	}
	r.Notes = append(r.Notes, c.notes...)
	if value, ok := query.Constant(c.Formula.Root); ok && value {
		p.note("the formula is true of every document, so the order means nothing")
	} else if ok {
		p.note("the formula contradicts itself: no document can satisfy it")
	}
	if r.LeftOut > 0 {
		total := r.LeftOut + len(p.shown.groups)
		of := fmt.Sprintf("the best %d", total)
		if r.Offset > 0 {
			of = fmt.Sprintf("the results %d to %d", r.Offset+1, r.Offset+total)
		}
		p.note("%d of %s are hidden: their match probability is below %.2f", r.LeftOut, of, c.Options.MinProbability)
	}
}

// compare ranks by plain retrieval, if that was requested.
func (p *presentation) compare(ctx context.Context) (err error) {
	c, r, o := p.c, p.result, &p.c.Options
	if !o.Compare {
		return nil
	}
	if p.plain, err = p.Searcher.plain(ctx, c, ranksOf(p.found, p.shown.all)); err != nil {
		return err
	}
	for _, d := range p.plain.degraded {
		if !slices.Contains(r.Degraded, d) { // both pools may have missed the same part
			r.Degraded = append(r.Degraded, d)
		}
	}
	all, err := p.plain.fold(ctx, p.cache, o, func(x *loadedDoc) bool { return p.budget.take(x.plainBytes()) })
	if err != nil {
		return err
	}
	if r.Compared = p.plain.depth; !all {
		p.note("%s", o.crowded("results of plain retrieval", len(p.plain.shown.groups)))
	}
	r.Plain = p.plain.hits(p.cache)
	return nil
}

// build fills in the hits, and their probability or strength.
func (p *presentation) build(context.Context) error {
	c, r := p.c, p.result
	r.Proof = c.prove(p.ranking, p.shown.groups)
	r.Hits = make([]Hit, 0, len(p.shown.groups))
	for _, g := range p.shown.groups {
		h := c.hit(p.cache.docs[p.found.refs[g.first]], p.ranking.Lines[g.first])
		h.Rank, h.Score = r.Offset+len(r.Hits)+1, float64(p.ranking.Scores[g.first])
		h.Copies, h.CopyCount = p.cache.copies(p.found, g), len(g.copies)
		if p.plain != nil {
			h.PlainRank = p.plain.was[h.Rank]
		}
		r.Hits = append(r.Hits, h)
	}
	if !c.filterOnly && c.unmentioned(r, p.ranking, p.shown.all) {
		p.note("no document mentions a wanted word or a similar one; these are the nearest in meaning")
		p.probabilities = nil
	}
	if len(r.Hits) > 0 && len(p.probabilities) > 0 && p.probabilities[0] < unlikely && !p.isNear(c, p.ranking, 0, closeInMeaning) {
		best := "the best"
		if r.Hits[0].strength(c.Formula.Root) == "strong" {
			best = "the best mentions the words, but"
		}
		p.note("%s: %s has a probability of %.1f %%", noMatch, best, 100*p.probabilities[0])
	}
	for i, g := range p.shown.groups {
		if h := &r.Hits[i]; p.probabilities != nil {
			h.Probability = p.probabilities[g.first]
		} else {
			h.Strength = h.strength(c.Formula.Root)
		}
	}
	return nil
}

// addTexts adds the texts of the hits, if more than excerpts were requested.
func (p *presentation) addTexts(ctx context.Context) error {
	if p.c.Options.Text == Excerpt {
		return nil
	}
	refs := make([]engine.Ref, len(p.shown.groups))
	for i, g := range p.shown.groups {
		refs[i] = p.found.refs[g.first]
	}
	return p.extend(ctx, p.result, &p.c.Options, refs, p.budget)
}

// explain explains the scores of the hits, if that was requested.
func (p *presentation) explain(context.Context) error {
	if !p.c.Options.Explain {
		return nil
	}
	r := p.result
	for i, g := range p.shown.groups {
		x, err := p.c.explain(p.ranking, r.Hits[i].Score, p.ranking.Lines[g.first])
		if err != nil {
			return err
		}
		if !p.budget.take(explanationBytes(x)) && i > 0 {
			r.Explained = i
			p.note("%s", p.c.Options.crowded("explanations", i))
			break
		}
		r.Hits[i].Explanation = x
	}
	return nil
}

// hit builds the hit of the candidate at line.
func (c *Candidates) hit(x *loadedDoc, line int) Hit {
	return Hit{
		ID: x.id, Title: x.title, Snippet: x.best, Passages: x.passages, Unwanted: x.unwanted, Metadata: x.metadata, source: x.source,
		Similarities: c.similarities(line), Words: c.matches(x, line), Patterns: x.patterns,
	}
}

// stopwatch returns a function that adds the time since its last call to a duration.
func stopwatch() func(*time.Duration) {
	last := time.Now()
	return func(d *time.Duration) {
		now := time.Now()
		*d += now.Sub(last)
		last = now
	}
}
