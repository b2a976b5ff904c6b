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
	o, ctx := c.Options, engine.AsOf(ctx)
	if err := o.drawResult(ctx); err != nil {
		return nil, err
	}
	r := &Result{
		Query: c.Question.Text, Understood: c.Question.Understood,
		Formula: c.Formula.Root.String(), Mode: o.Mode, Reason: c.Reason, Fusion: o.Fusion.String(),
		Encoder: s.Encoder.Identity().String(), Strings: c.Plan.Strings, Cut: c.Cut,
		Documents: c.Size.Documents, Ranked: len(c.Refs), Degraded: slices.Clone(c.Degraded), // the candidates may be presented again
		Timings: c.times,
	}
	r.Timings.Rank = ranking.took
	before := len(ranking.Lines)
	own := *ranking // calibrate shortens the copy, not the caller's ranking
	ranking = &own
	probabilities, err := s.calibrate(ctx, c, ranking)
	if err != nil {
		return nil, err
	}
	cut := before - len(ranking.Lines)
	lap := stopwatch()
	budget := newByteBudget(o.Bytes)
	if len(o.Facets) > 0 {
		if r.Facets, err = s.facets(ctx, c, ranking, budget); err != nil {
			return nil, err
		}
	}
	cache, found := newDocCache(s.Store, c.Prepared), c.list(ranking)
	similarities := c.similarityBytes()
	shown, err := cache.fold(ctx, found, &o, func(x *loadedDoc) bool { return budget.take(similarities + x.bytes()) })
	if err != nil {
		return nil, err
	}
	lap(&r.Timings.Read)
	if shown.fits {
		r.LeftOut = min(cut, o.K-len(shown.groups))
	}
	foreign, meaningless := false, false
	if !c.filterOnly {
		if foreign, meaningless, err = s.spell(ctx, c, r); err != nil {
			return nil, err
		}
	}
	unsupported := 0
	if !o.All {
		support := probabilities
		if foreign && support != nil { // they come from meaningless vectors
			support = make([]float64, len(support))
		}
		unsupported = s.dropUnsupported(c, ranking, support, meaningless, shown)
	}
	if r.Offset = o.Offset; shown.more && len(shown.all) < MaxK {
		r.Next = len(shown.all)
	}
	r.say(c, len(shown.groups))
	if unsupported > 0 {
		r.LeftOut += unsupported
		r.Notes = append(r.Notes, unsupportedNote(unsupported, len(shown.groups)))
	}
	if r.More = !shown.fits; r.More {
		r.Notes = append(r.Notes, o.crowded("results", len(shown.groups)))
	}
	if shown.deep {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of the best documents are copies of those shown, so that no others were looked for; all copies can be shown", copyDepth))
	}
	var plain *plain
	if o.Compare {
		if plain, err = s.plain(ctx, c, ranksOf(found, shown.all)); err != nil {
			return nil, err
		}
		for _, d := range plain.degraded {
			if !slices.Contains(r.Degraded, d) { // both pools may have missed the same part
				r.Degraded = append(r.Degraded, d)
			}
		}
		lap(&r.Timings.Compare)
		all, err := plain.fold(ctx, cache, &o, func(x *loadedDoc) bool { return budget.take(x.plainBytes()) })
		if err != nil {
			return nil, err
		}
		if r.Compared = plain.depth; !all {
			r.Notes = append(r.Notes, o.crowded("results of plain retrieval", len(plain.shown.groups)))
		}
	}
	r.Proof = c.prove(ranking, shown.groups)
	r.Hits = make([]Hit, 0, len(shown.groups))
	for _, g := range shown.groups {
		h := c.hit(cache.docs[found.refs[g.first]], ranking.Lines[g.first])
		h.Rank, h.Score = o.Offset+len(r.Hits)+1, float64(ranking.Scores[g.first])
		h.Copies, h.CopyCount = cache.copies(found, g), len(g.copies)
		if plain != nil {
			h.PlainRank = plain.was[h.Rank]
		}
		r.Hits = append(r.Hits, h)
	}
	if plain != nil {
		r.Plain = plain.hits(cache)
	}
	if !c.filterOnly && c.unsaid(r, ranking, shown.all) {
		r.Notes = append(r.Notes, "no document mentions a wanted word or a similar one; these are the nearest in meaning")
		probabilities = nil
	}
	if len(r.Hits) > 0 && len(probabilities) > 0 && probabilities[0] < unlikely && !(s.builtin() && c.vectorScore(ranking, 0) >= closeInMeaning) {
		best := "the best"
		if r.Hits[0].strength(c.Formula.Root) == "strong" {
			best = "the best mentions the words, but"
		}
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %s has a probability of %.1f %%", noMatch, best, 100*probabilities[0]))
	}
	for i, g := range shown.groups {
		if h := &r.Hits[i]; probabilities != nil {
			h.Probability = probabilities[g.first]
		} else {
			h.Strength = h.strength(c.Formula.Root)
		}
	}
	if o.Text != Excerpt {
		refs := make([]engine.Ref, len(shown.groups))
		for i, g := range shown.groups {
			refs[i] = found.refs[g.first]
		}
		if err := s.extend(ctx, r, &o, refs, budget); err != nil {
			return nil, err
		}
	}
	lap(&r.Timings.Read)
	if o.Explain {
		for i, g := range shown.groups {
			x, err := c.explain(ranking, r.Hits[i].Score, ranking.Lines[g.first])
			if err != nil {
				return nil, err
			}
			if !budget.take(explanationBytes(x)) && i > 0 {
				r.Explained = i
				r.Notes = append(r.Notes, o.crowded("explanations", i))
				break
			}
			r.Hits[i].Explanation = x
		}
		lap(&r.Timings.Explain)
	}
	return r, nil
}

// say fills in the description of the search and adds notes for the reader.
func (r *Result) say(c *Candidates, shown int) {
	if c.Formula.Filter != nil {
		r.Filter = c.Formula.Filter.String()
	}
	if c.Profile != nil {
		r.Profile = c.Profile.Name
		r.Refined = c.Profile.Moves()
	}
	if len(r.Understood) == 0 { // otherwise the plain-language reader chose the atoms
		r.Notes = append(r.Notes, query.Hints(c.Formula.Root)...)
	}
	r.Notes = append(r.Notes, c.notes...)
	if value, ok := query.Constant(c.Formula.Root); ok && value {
		r.Notes = append(r.Notes, "the formula is true of every document: the order says nothing")
	} else if ok {
		r.Notes = append(r.Notes, "the formula contradicts itself: no document can satisfy it")
	}
	if r.LeftOut > 0 {
		of := fmt.Sprintf("the best %d", r.LeftOut+shown)
		if r.Offset > 0 {
			of = fmt.Sprintf("the results %d to %d", r.Offset+1, r.Offset+r.LeftOut+shown)
		}
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %s are less probable to match than %.2f, and left out", r.LeftOut, of, c.Options.MinProbability))
	}
}

// hit builds the hit of the candidate at line.
func (c *Candidates) hit(x *loadedDoc, line int) Hit {
	return Hit{
		ID: x.id, Title: x.title, Snippet: x.best, Passages: x.passages, Unwanted: x.unwanted, Metadata: x.metadata, source: x.source,
		Similarities: c.similarities(line), Words: c.said(x, line), Patterns: x.patterns,
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
