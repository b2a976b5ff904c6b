package retrieve

import (
	"context"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// feedback moves each vector towards its best documents: those nearest to it and those with
// the highest lexical score for its term, judged together.
func (s *Searcher) feedback(ctx context.Context, p *Prepared, vectors [][]float32) ([][]float32, error) {
	sample, err := s.sample(ctx)
	if err != nil || sample.centre == nil {
		return vectors, err
	}
	moves := p.Options.Profile
	k := min(moves.Feedback.Documents, p.Size.Documents/10)
	found, err := s.Store.Pool(ctx, vectors, k, p.Formula.Filter, vectors)
	if err != nil {
		return nil, err
	}
	judged := found
	lexical := make([][]float32, len(vectors))
	if p.lexical != nil && moves.Feedback.Words > 0 {
		if judged, lexical, err = s.judge(ctx, p, vectors, found, k); err != nil {
			return nil, err
		}
	}
	if len(judged.Similarities) != len(vectors) {
		return nil, fmt.Errorf("the store returned %d columns of similarities, %d were asked for", len(judged.Similarities), len(vectors))
	}
	known, err := s.vectors(ctx, judged.Refs)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		values := slices.Clone(judged.Similarities[i])
		for line, x := range lexical[i] {
			values[line] += float32(moves.Feedback.Words) * x
		}
		out[i] = v
		lines, scores := best(judged.Refs, values, k)
		if near, weights := ahead(known, lines, scores); len(near) > 0 {
			out[i] = moves.Towards(v, profile.WeightedMean(near, weights), sample.centre, labelShare(p.Formula.Terms.At(i)))
		}
	}
	return out, nil
}

// labelWords is the number of words up to which an atom is a label, of many documents.
const labelWords = 2

// labelShare returns how much of the profile's feedback a term gets. Labels such as "rock music"
// adopt the collection's vocabulary. A longer description of few documents would only drift
// towards its neighbours.
func labelShare(term query.Node) float64 {
	atoms, n := 0, 0
	for a := range query.Atoms(term) {
		atoms++
		if a.Kind == query.Text {
			n += words.ContentWords(a.Text)
		}
	}
	share := min(1, float64(labelWords*atoms)/float64(max(1, n)))
	return share * share
}

// ahead returns the vectors of the documents at lines, each weighted by its lead over the last
// score. If all scores are equal, so are the weights.
func ahead(known [][]float32, lines []int, scores []float32) (near [][]float32, weights []float64) {
	for i, line := range lines {
		if known[line] == nil {
			continue
		}
		w := 1.0
		if last := scores[len(scores)-1]; scores[0] > last {
			w = float64(scores[i]-last) / float64(scores[0]-last)
		}
		near, weights = append(near, known[line]), append(weights, w)
	}
	return near, weights
}

// judge compares all vectors with the documents that vectors and lexical matching found. It
// returns the similarities and the lexical score of each document for each term.
func (s *Searcher) judge(ctx context.Context, p *Prepared, vectors [][]float32, found *engine.Columns, k int) (*engine.Columns, [][]float32, error) {
	refs := slices.Clone(found.Refs)
	taken := make(map[engine.Ref]bool, len(refs))
	for _, r := range refs {
		taken[r] = true
	}
	for _, score := range p.lexical.selecting(p.Formula) {
		for _, r := range p.lexical.best(score, k) {
			if !taken[r] {
				taken[r] = true
				refs = append(refs, r)
			}
		}
	}
	judged, err := s.Store.Compare(ctx, refs, vectors)
	if err != nil {
		return nil, nil, err
	}
	shares, err := p.lexical.store.TermScores(ctx, p.lexical.query, judged.Refs)
	if err != nil {
		return nil, nil, err
	}
	lexical := make([][]float32, len(vectors))
	for i, score := range p.lexical.terms {
		lexical[i] = make([]float32, len(judged.Refs))
		score.Of(lexical[i], shares)
	}
	return judged, lexical, nil
}
