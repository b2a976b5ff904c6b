package retrieve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// lexicalMatches holds the lexical matches of a query.
type lexicalMatches struct {
	store  engine.LexicalStore
	query  *words.Query
	whole  *logic.LexicalScore   // the lexical score of the formula
	terms  []*logic.LexicalScore // the lexical score of each term
	shares *engine.TermMatches
	// having is the subset of shares with a nonzero share. All other documents score 0.
	having   *engine.TermMatches
	thorough bool // all documents were scored
}

// matchTerms matches the terms of a formula's atoms against the store. If the store keeps no text
// statistics, it adds a note, and vectors alone rank.
func (s *Searcher) matchTerms(ctx context.Context, p *Prepared) error {
	store := engine.CapabilitiesOf(s.Store).Lexical
	if store == nil {
		p.notes = append(p.notes, "the store keeps no words, so vectors alone rank")
		return nil
	}
	statistics, err := s.statistics(ctx, store)
	if err != nil {
		return fmt.Errorf("counting words: %w", err)
	}
	f := p.Formula
	texts := atomTexts(f)
	if err := p.drawWords(ctx, len(texts)); err != nil {
		return err
	}
	h := &lexicalMatches{store: store, query: words.NewQuery(texts, statistics, excluded(f)...), whole: logic.NewLexicalScore(f, f.Root)}
	for i := range f.Terms.Len() {
		h.terms = append(h.terms, logic.NewLexicalScore(f, f.Terms.At(i)))
	}
	if h.shares, err = store.MatchTerms(ctx, h.query, f.Filter, h.wanted(p)); err != nil {
		return err
	}
	h.having = having(h.shares)
	p.lexical = h
	return nil
}

// having returns the documents with a nonzero share of any atom.
func having(all *engine.TermMatches) *engine.TermMatches {
	out := &engine.TermMatches{Atoms: make([][]float32, len(all.Atoms))}
	for i, ref := range all.Refs {
		if slices.ContainsFunc(all.Atoms, func(column []float32) bool { return column[i] != 0 }) {
			out.Refs = append(out.Refs, ref)
			for a, column := range all.Atoms {
				out.Atoms[a] = append(out.Atoms[a], column[i])
			}
		}
	}
	return out
}

// atomTexts returns the texts of a formula's atoms, in the order of its terms. Atoms that
// stand for a document or an image have an empty text.
func atomTexts(f *query.Formula) []string {
	var out []string
	for _, a := range f.Terms.Atoms() {
		text := ""
		if a.Kind == query.Text {
			text = a.Text
		}
		out = append(out, text)
	}
	return out
}

// excluded returns the indices of the atoms that occur only under negation, in the order of
// the formula's terms.
func excluded(f *query.Formula) (out []int) {
	wanted := map[string]bool{}
	for a, nots := range query.Atoms(f.Root) {
		wanted[a.String()] = wanted[a.String()] || nots%2 == 0
	}
	n := 0
	for _, a := range f.Terms.Atoms() {
		if !wanted[a.String()] {
			out = append(out, n)
		}
		n++
	}
	return out
}

// wanted returns the requests for lexical candidates: a pool's worth for the whole formula,
// and enough for feedback for each atom. Requests do not depend on the mode, so neither does
// feedback.
func (h *lexicalMatches) wanted(p *Prepared) []engine.TopK {
	k := p.Options.Profile.Feedback.Documents
	var out []engine.TopK
	for _, score := range h.selecting(p.Formula) {
		out = append(out, engine.TopK{K: k, By: score.Of})
	}
	out[0].K = p.Options.most()
	return out
}

// selecting returns the lexical scores that select candidates: the formula's first, then each
// atom's.
func (h *lexicalMatches) selecting(f *query.Formula) []*logic.LexicalScore {
	out := []*logic.LexicalScore{h.whole}
	for i := range f.Terms.Atoms() {
		out = append(out, h.terms[i])
	}
	return out
}

// best returns the k documents with the highest positive lexical score.
func (h *lexicalMatches) best(score *logic.LexicalScore, k int) []engine.Ref {
	values := make([]float32, len(h.having.Refs))
	score.Of(values, h.having.Atoms)
	lines, scores := best(h.having.Refs, values, k)
	var out []engine.Ref
	for i, line := range lines {
		if scores[i] > 0 {
			out = append(out, h.having.Refs[line])
		}
	}
	return out
}

// matchAllTerms scores all documents lexically.
func (s *Searcher) matchAllTerms(ctx context.Context, p *Prepared) error {
	h := *p.lexical
	wanted := h.wanted(p)[:1]
	wanted[0].Thorough = true
	var err error
	if h.shares, err = h.store.MatchTerms(ctx, h.query, p.Formula.Filter, wanted); err != nil {
		return err
	}
	h.having, h.thorough = having(h.shares), true
	p.lexical = &h
	return nil
}

// unseenBound returns a bound on the lexical score of documents outside the k best.
func (h *lexicalMatches) unseenBound(b *logic.Bound, k int) float64 {
	switch {
	case h == nil:
		return 0
	case h.shares.UnseenBounds == nil || h.shares.LeftOutBounds == nil: // no bound is known
		return b.Lexical(slices.Repeat([]float32{1}, h.query.Atoms()))
	case len(h.shares.UnseenBounds) == 0: // all documents were scored
		return h.scoredBound(k)
	}
	return max(h.scoredBound(k), b.Lexical(h.shares.UnseenBounds))
}

// scoredBound returns that bound for the documents that were scored. Documents without a match
// score at most 0.
func (h *lexicalMatches) scoredBound(k int) float64 {
	if len(h.shares.LeftOutBounds) == 0 {
		return math.Inf(1)
	}
	values := make([]float32, len(h.having.Refs))
	h.whole.Of(values, h.having.Atoms)
	if _, scores := best(h.having.Refs, values, k+1); len(scores) > k {
		return max(0, float64(scores[k]))
	}
	return max(0, float64(h.shares.LeftOutBounds[0]))
}

// join adds the k best lexical candidates to those found by vectors, and returns the lexical
// shares of all of them.
func (s *Searcher) join(ctx context.Context, p *Prepared, found *engine.Columns, vectors [][]float32, k int) (shares [][]float32, err error) {
	h := p.lexical
	if h == nil {
		return nil, nil
	}
	found.Degraded = append(found.Degraded, h.shares.Degraded...)
	if p.Options.Mode == Exact {
		if slices.Equal(found.Refs, h.shares.Refs) {
			return h.shares.Atoms, nil
		}
	} else {
		taken := make(map[engine.Ref]bool, len(found.Refs))
		for _, r := range found.Refs {
			taken[r] = true
		}
		more := slices.DeleteFunc(h.best(h.whole, k), func(r engine.Ref) bool { return taken[r] })
		if len(more) > 0 {
			columns, err := s.Store.Compare(ctx, more, vectors)
			if err != nil {
				return nil, err
			}
			found.Refs = append(found.Refs, columns.Refs...)
			for i := range found.Similarities {
				found.Similarities[i] = append(found.Similarities[i], columns.Similarities[i]...)
			}
		}
	}
	return h.store.TermScores(ctx, h.query, found.Refs)
}

// statistics returns cached term statistics. It counts again once the store's size has changed
// by more than a tenth.
func (s *Searcher) statistics(ctx context.Context, store engine.LexicalStore) (*words.Statistics, error) {
	size, err := s.Store.Size(ctx)
	if err != nil {
		return nil, err
	}
	s.memory.Lock()
	defer s.memory.Unlock()
	if m := &s.memory; m.statistics != nil && !grown(m.counted, size.Documents) {
		return m.statistics, nil
	}
	counted, err := store.Statistics(ctx)
	if err != nil {
		return nil, err
	}
	s.memory.statistics, s.memory.counted = counted, size.Documents
	return counted, nil
}

// grown reports whether a size has changed by more than a tenth.
func grown(was, is int) bool { return 10*max(was-is, is-was) > was }
