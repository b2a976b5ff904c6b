package tune

import (
	"context"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/profile"
)

// observation is a document in the ranking of a question.
type observation struct {
	x        features
	relevant bool
	weight   float64
}

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

// unanswered ranks the documents of each set for questions that none of them answers: those
// about labels in sets of known pages, and those about known pages in sets with labels.
func (b *bench) unanswered(ctx context.Context, c choice) ([][]observation, error) {
	out := make([][]observation, len(b.places))
	for at := range b.places {
		own := b.those(func(q *question) bool { return q.set == at })
		for i := range b.questions {
			if b.questions[i].labelled() == b.questions[own[0]].labelled() {
				continue
			}
			q := b.questions[i]
			q.set, q.query = at, &sets.Query{}
			observed, err := b.judge(ctx, &q, c)
			if err != nil {
				return nil, err
			}
			out[at] = append(out[at], observed...)
		}
	}
	return out, nil
}

// judge ranks the documents for a question, the best first.
func (b *bench) judge(ctx context.Context, q *question, c choice) (out []observation, err error) {
	found, ranking, err := b.rank(ctx, q, c, shownDepth)
	if err != nil {
		return nil, err
	}
	length := profile.Length(found.Size.Vectors, found.Size.Documents)
	for rank, line := range ranking.Lines {
		out = append(out, observation{
			x:        features{1, found.FullScore(ranking, rank), length},
			relevant: q.query.Grade(b.places[q.set].Corpus.IDs[found.Refs[line].Number]) > 0,
		})
	}
	return out, nil
}
