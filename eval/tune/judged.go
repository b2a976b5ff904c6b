package tune

import (
	"context"

	"github.com/nsfl-go/nsfl/profile"
)

// observation is a document in the ranking of a question.
type observation struct {
	x        features
	relevant bool
	weight   float64
}

// fittedDepth is the number of top documents that a calibration is fitted to: those that people
// see. Fitting the many below them would cost accuracy there.
const fittedDepth = 30

// judgements ranks the documents for each question by a choice, and returns the first ones of
// each ranking.
func (b *bench) judgements(ctx context.Context, c choice) ([][]observation, error) {
	out := make([][]observation, len(b.questions))
	err := b.each(ctx, func(ctx context.Context, i int) (err error) {
		out[i], err = b.judge(ctx, &b.questions[i], c)
		return err
	})
	return out, err
}

// judge ranks the documents for a question, the best first. The deviations are those of all
// documents, as in retrieve's Exact; the other modes take a sample for them.
func (b *bench) judge(ctx context.Context, q *question, c choice) (out []observation, err error) {
	found, ranking, err := b.rank(ctx, q, c, fittedDepth)
	if err != nil {
		return nil, err
	}
	length := profile.Length(found.Size.Vectors, found.Size.Documents)
	for rank, line := range ranking.Lines {
		score := float64(ranking.Scores[rank])
		out = append(out, observation{
			x:        features{1, ranking.Background.Z(score), score, length},
			relevant: q.query.Grade(b.places[q.set].Corpus.IDs[found.Refs[line].Number]) > 0,
		})
	}
	return out, nil
}
