package tune

import (
	"context"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// observation is a document in the ranking of a question.
type observation struct {
	x        features
	relevant bool
	weight   float64
}

// fittedDepth is how many documents of a ranking a calibration is fitted to: those that
// people see. To get the many further down right would cost accuracy there.
const fittedDepth = 30

// judgements ranks the documents for each question by a profile, and returns the first
// ones of each ranking.
func (b *bench) judgements(ctx context.Context, p *profile.Profile) ([][]observation, error) {
	out := make([][]observation, len(b.questions))
	err := b.each(ctx, func(ctx context.Context, i int) (err error) {
		out[i], err = b.judge(ctx, &b.questions[i], p)
		return err
	})
	return out, err
}

// judge ranks the documents for a question, the best first. The deviations are those of
// all documents, as in retrieve's Exact; the other modes take a sample for them.
func (b *bench) judge(ctx context.Context, q *question, p *profile.Profile) (out []observation, err error) {
	t := q.trial(p)
	found, err := lab.Find(ctx, b.places[q.set].searcher, retrieve.Ask(q.formula), t.options())
	if err != nil {
		return nil, err
	}
	ranking, err := rank(found, t.operator.Logic, fittedDepth)
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
