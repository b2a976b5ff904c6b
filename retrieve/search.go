package retrieve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Search answers a question.
func (s *Searcher) Search(ctx context.Context, q *Question, o Options) (*Result, error) {
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

// Present reads the documents of a ranking, finds their snippets and, where
// wanted, compares and explains.
func (s *Searcher) Present(ctx context.Context, c *Candidates, ranking *Ranking) (*Result, error) {
	o := c.Options
	r := &Result{
		Query: c.Question.Text, Understood: c.Question.Understood,
		Formula: c.Formula.Root.String(), Mode: o.Mode, Reason: c.Reason, Fusion: o.Fusion.String(),
		Encoder: s.Encoder.Identity().String(), Strings: c.Plan.Strings, Cut: c.Cut,
		Documents: c.Size.Documents, Ranked: len(c.Refs), Degraded: slices.Clone(c.Degraded), // the candidates may be presented again
		Timings: c.times,
	}
	r.Timings.Rank = ranking.took
	wanted := len(ranking.Lines)
	own := *ranking // what is cut off stays with the caller
	ranking = &own
	probabilities, err := s.calibrate(ctx, c, ranking)
	if err != nil {
		return nil, err
	}
	r.LeftOut = wanted - len(ranking.Lines)
	if c.Profile != nil {
		r.Profile = c.Profile.Name
		r.Notes = append(r.Notes, fmt.Sprintf("%s (profile %s)", c.Profile.Moves(), c.Profile.Name))
	}
	r.Notes = append(r.Notes, c.notes...)
	if value, ok := query.Constant(c.Formula.Root); ok && value {
		r.Notes = append(r.Notes, "the formula is true of every document: the order says nothing")
	} else if ok {
		r.Notes = append(r.Notes, "the formula contradicts itself: no document can satisfy it")
	}
	if len(probabilities) > 0 && probabilities[0] < unlikely {
		r.Notes = append(r.Notes, fmt.Sprintf("no document seems to match: the best has a probability of %.1f %%", 100*probabilities[0]))
	}
	if r.LeftOut > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of the best %d are less probable to match than %.2f, and left out", r.LeftOut, wanted, o.MinProbability))
	}
	if c.Formula.Filter != nil {
		r.Filter = c.Formula.Filter.String()
	}
	lap := stopwatch()
	var plain *plain
	if o.Compare {
		if plain, err = s.plain(ctx, c, ranking); err != nil {
			return nil, err
		}
		for _, d := range plain.degraded {
			if !slices.Contains(r.Degraded, d) { // both pools may have missed the same part
				r.Degraded = append(r.Degraded, d)
			}
		}
	}
	lap(&r.Timings.Compare)
	if err := s.read(ctx, c, ranking, plain, r); err != nil {
		return nil, err
	}
	for i, p := range probabilities {
		r.Hits[i].Probability = p
	}
	if r.unsaid() {
		r.Notes = append(r.Notes, "none of these documents says a word of what is wanted, or one near it: they are the nearest in meaning, however far, and how probable they are cannot be told")
		for i := range r.Hits {
			r.Hits[i].Probability = 0
		}
	}
	lap(&r.Timings.Read)
	if o.Explain {
		for i, line := range ranking.Lines {
			if err := r.explain(c, ranking, i, line); err != nil {
				return nil, err
			}
		}
		lap(&r.Timings.Explain)
	}
	r.drop()
	return r, nil
}

// read fills the hits and the list of plain retrieval with what the documents
// say.
func (s *Searcher) read(ctx context.Context, c *Candidates, ranking *Ranking, p *plain, r *Result) error {
	refs := make([]engine.Ref, len(ranking.Lines))
	for i, line := range ranking.Lines {
		refs[i] = c.Refs[line]
	}
	if p != nil {
		refs = append(refs, p.refs...)
	}
	docs, err := s.Store.Documents(ctx, refs, engine.AllParts)
	if err != nil {
		return err
	}
	snippets := newSnippets(c.Prepared)
	r.Hits = make([]Hit, len(ranking.Lines))
	for i, line := range ranking.Lines {
		d := &docs[i]
		best, each := snippets.of(d)
		r.Hits[i] = Hit{
			Rank: i + 1, ID: d.ID, Score: float64(ranking.Scores[i]), Title: d.Title,
			Snippet: best, Passages: each, Metadata: d.Metadata, Similarities: c.similarities(line), Words: c.said(d, line),
		}
		if p != nil {
			r.Hits[i].PlainRank = p.rank[refs[i]]
		}
	}
	if p == nil {
		return nil
	}
	r.Compared = p.depth
	for i := range p.refs {
		d := &docs[len(ranking.Lines)+i]
		best, _ := snippets.of(d)
		r.Plain = append(r.Plain, PlainHit{ID: d.ID, Title: d.Title, Text: best.Text, Score: float64(p.scores[i])})
	}
	return nil
}

// drop takes out documents that were deleted while the search went on, and numbers
// the rest.
func (r *Result) drop() {
	now := make(map[string]int, len(r.Hits))
	kept := r.Hits[:0]
	for _, h := range r.Hits {
		if h.ID != "" {
			h.Rank = len(kept) + 1
			now[h.ID] = h.Rank
			kept = append(kept, h)
		}
	}
	r.Hits = kept
	plain := r.Plain[:0]
	for _, p := range r.Plain {
		if p.ID != "" {
			p.Rank, p.Now = len(plain)+1, now[p.ID]
			plain = append(plain, p)
		}
	}
	r.Plain = plain
}

// stopwatch returns a function that adds the time since the last call.
func stopwatch() func(*time.Duration) {
	last := time.Now()
	return func(d *time.Duration) {
		now := time.Now()
		*d += now.Sub(last)
		last = now
	}
}
