package retrieve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

// heard is what words found for a question.
type heard struct {
	store  engine.Worded
	query  *words.Query
	whole  *logic.Saying   // what words say of the formula
	terms  []*logic.Saying // and of each of its terms
	shares *engine.Shares
	// having are those of the documents that have anything: of all others words say nothing.
	having   *engine.Shares
	thorough bool // all documents were looked at
}

// listen looks for the words of a formula's atoms. Where the store keeps none, a note
// says so, and vectors alone rank.
func (s *Searcher) listen(ctx context.Context, p *Prepared) error {
	store := engine.CapabilitiesOf(s.Store).Worded
	if store == nil {
		p.notes = append(p.notes, "the store keeps no words, so vectors alone rank")
		return nil
	}
	statistics, err := s.statistics(ctx, store)
	if errors.Is(err, engine.ErrNoWords) {
		p.notes = append(p.notes, err.Error()+"; vectors alone rank")
		return nil
	}
	if err != nil {
		return fmt.Errorf("counting words: %w", err)
	}
	f := p.Formula
	texts := atomTexts(f)
	if err := p.drawWords(ctx, len(texts)); err != nil {
		return err
	}
	h := &heard{store: store, query: words.NewQuery(texts, statistics, excluded(f)...), whole: logic.NewSaying(f, f.Root)}
	for i := range f.Terms.Len() {
		h.terms = append(h.terms, logic.NewSaying(f, f.Terms.At(i)))
	}
	if h.shares, err = store.Said(ctx, h.query, f.Filter, h.wanted(p)); err != nil {
		return err
	}
	h.having = having(h.shares)
	p.heard = h
	return nil
}

// having leaves out the documents that have nothing of any atom's words.
func having(all *engine.Shares) *engine.Shares {
	out := &engine.Shares{Atoms: make([][]float32, len(all.Atoms))}
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

// atomTexts are the texts of a formula's atoms, in the order of its terms. An atom that
// stands for a document or a picture has none.
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

// excluded returns the indices of the atoms that a formula only excludes, in the order of
// its terms.
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

// wanted returns the documents that words have to find: as many as a pool has by the whole
// formula, and enough for feedback by each atom. It is the same in every mode, so that
// feedback is too.
func (h *heard) wanted(p *Prepared) []engine.Wanted {
	k := p.Options.Profile.Feedback.Documents
	var out []engine.Wanted
	for _, saying := range h.finding(p.Formula) {
		out = append(out, engine.Wanted{K: k, By: saying.Of})
	}
	out[0].K = p.Options.most()
	return out
}

// finding is what documents are found by: the formula first, then each of its atoms.
func (h *heard) finding(f *query.Formula) []*logic.Saying {
	out := []*logic.Saying{h.whole}
	for i := range f.Terms.Atoms() {
		out = append(out, h.terms[i])
	}
	return out
}

// best are the documents of which words say most of something, and anything at all.
func (h *heard) best(saying *logic.Saying, k int) []engine.Ref {
	values := make([]float32, len(h.having.Refs))
	saying.Of(values, h.having.Atoms)
	lines, scores := best(h.having.Refs, values, k)
	var out []engine.Ref
	for i, line := range lines {
		if scores[i] > 0 {
			out = append(out, h.having.Refs[line])
		}
	}
	return out
}

// listenAll looks at all documents for the words of a prepared question.
func (s *Searcher) listenAll(ctx context.Context, p *Prepared) error {
	h := *p.heard
	wanted := h.wanted(p)[:1]
	wanted[0].Thorough = true
	var err error
	if h.shares, err = h.store.Said(ctx, h.query, p.Formula.Filter, wanted); err != nil {
		return err
	}
	h.having, h.thorough = having(h.shares), true
	p.heard = &h
	return nil
}

// rest is what words can say at most of documents that are not among the k best by them.
func (h *heard) rest(b *logic.Bound, k int) float64 {
	switch {
	case h == nil:
		return 0
	case h.shares.Unheard == nil || h.shares.Beyond == nil: // nothing is known
		return b.Said(slices.Repeat([]float32{1}, h.query.Atoms()))
	case len(h.shares.Unheard) == 0: // all were looked at
		return h.looked(k)
	}
	return max(h.looked(k), b.Said(h.shares.Unheard))
}

// looked is the same for the documents that were looked at. What says nothing is not found.
func (h *heard) looked(k int) float64 {
	if len(h.shares.Beyond) == 0 {
		return math.Inf(1)
	}
	values := make([]float32, len(h.having.Refs))
	h.whole.Of(values, h.having.Atoms)
	if _, scores := best(h.having.Refs, values, k+1); len(scores) > k {
		return max(0, float64(scores[k]))
	}
	return max(0, float64(h.shares.Beyond[0]))
}

// join adds to what vectors found the k best of what words did, and reads the shares of all
// of them.
func (s *Searcher) join(ctx context.Context, p *Prepared, found *engine.Columns, vectors [][]float32, k int) (shares [][]float32, err error) {
	h := p.heard
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
	return h.store.SaidBy(ctx, h.query, found.Refs)
}

// statistics are counted again when the store has grown or shrunk by a tenth.
func (s *Searcher) statistics(ctx context.Context, store engine.Worded) (*words.Statistics, error) {
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

// grown reports whether there is a tenth more or less than there was.
func grown(was, is int) bool { return 10*max(was-is, is-was) > was }
