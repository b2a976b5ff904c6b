package tune

import (
	"context"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/profile"
)

// observation is a document in the ranking of a question.
type observation struct {
	z, score float32
	relevant bool
	weight   float64 // number of documents it represents
}

// All documents that are not relevant are kept down to this rank, and then every n-th.
const (
	keptRank  = 1000
	keptEvery = 25
)

// judgements ranks all documents for each question by a profile, and keeps a weighted sample.
func (b *bench) judgements(ctx context.Context, p *profile.Profile) ([][]observation, error) {
	out := make([][]observation, len(b.questions))
	err := b.each(ctx, func(ctx context.Context, i int) (err error) {
		out[i], err = b.judge(ctx, &b.questions[i], p)
		return err
	})
	return out, err
}

// judge returns the ranking of all documents, best first. z uses the mean and deviation over
// all of them, as in retrieve's Exact; other modes estimate them from a sample.
func (b *bench) judge(ctx context.Context, q *question, p *profile.Profile) ([]observation, error) {
	t := q.trial(p)
	ids := b.places[q.set].Corpus.IDs
	found, err := lab.Find(ctx, b.places[q.set].searcher, q.formula, t.options())
	if err != nil {
		return nil, err
	}
	ranking, err := rank(found, t.operator.Logic, len(ids))
	if err != nil {
		return nil, err
	}
	var out []observation
	skipped := 0
	for rank, line := range ranking.Lines {
		score := ranking.Scores[rank]
		o := observation{z: float32(ranking.Background.Z(float64(score))), score: score, weight: 1}
		o.relevant = q.query.Grade(ids[found.Refs[line].Number]) > 0
		if !o.relevant && rank >= keptRank {
			if skipped++; skipped%keptEvery != 0 {
				continue
			}
			o.weight = keptEvery
		}
		out = append(out, o)
	}
	return out, nil
}
