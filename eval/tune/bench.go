package tune

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/measure"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// bench measures profiles, each trial of each question once.
type bench struct {
	places    []place
	questions []question
	strata    []stratum

	progress func(rankings int)
	done     atomic.Int64
}

// each calls f for all questions, on all processors, until one fails.
func (b *bench) each(ctx context.Context, f func(ctx context.Context, i int) error) error {
	return workers.Each(ctx, len(b.questions), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		if err := f(ctx, i); err != nil {
			return fmt.Errorf("query %s: %w", b.questions[i].query.ID, err)
		}
		return nil
	})
}

// measure ranks the questions by profiles, as far as that is not known.
func (b *bench) measure(ctx context.Context, profiles ...*profile.Profile) error {
	return b.each(ctx, func(ctx context.Context, i int) error {
		q := &b.questions[i]
		calculi := map[trial][]logic.Options{} // of the same similarities, which are found once
		for _, p := range profiles {
			t := q.trial(p)
			if _, known := q.known[t]; known {
				continue
			}
			q.known[t] = math.NaN()
			o := t.operator.Logic
			t.operator.Logic = logic.Options{}
			calculi[t] = append(calculi[t], o)
		}
		if len(calculi) == 0 {
			return nil
		}
		s := b.places[q.set].searcher
		for t, some := range calculi {
			found, err := lab.Find(ctx, s, q.formula, t.options())
			if err != nil {
				return err
			}
			for _, o := range some {
				t.operator.Logic = o
				if q.known[t], err = b.precision(q, found, o); err != nil {
					return err
				}
			}
			if done := b.done.Add(int64(len(some))); b.progress != nil {
				b.progress(int(done))
			}
		}
		return nil
	})
}

// options are those of a search in all documents.
func (t trial) options() retrieve.Options {
	p := &profile.Profile{Name: "trial", Hubness: t.hubness, Words: t.words, Feedback: t.feedback}
	return retrieve.Options{K: lab.Depth, Profile: p, Research: retrieve.Research{Mode: retrieve.Exact, Fusion: &t.operator.Fusion}}
}

// rank orders what was found by the calculus, as some options have it.
func rank(found *retrieve.Candidates, o logic.Options, depth int) (*retrieve.Ranking, error) {
	again, err := found.Again(retrieve.Options{Research: retrieve.Research{Logic: &o}})
	if err != nil {
		return nil, err
	}
	return again.Rank(depth)
}

// precision is the average precision of what was found, in its order by the
// calculus.
func (b *bench) precision(q *question, found *retrieve.Candidates, o logic.Options) (float64, error) {
	ranking, err := rank(found, o, lab.Depth)
	if err != nil {
		return 0, err
	}
	j, err := measure.Judge(b.places[q.set].Corpus.Ranked(found, ranking), q.query.Grade, q.ideal)
	if err != nil {
		return 0, err
	}
	return j.AveragePrecision(lab.Depth, measure.Reachable), nil
}

// values are those of a profile that was measured, by question.
func (b *bench) values(p *profile.Profile) []float64 {
	return b.by(func(i int) float64 { return b.questions[i].value(p) })
}

// plain are those of the baseline.
func (b *bench) plain() []float64 {
	return b.by(func(i int) float64 { return b.questions[i].plain })
}

func (b *bench) by(value func(question int) float64) []float64 {
	out := make([]float64, len(b.questions))
	for i := range out {
		out[i] = value(i)
	}
	return out
}

// all are all questions.
func (b *bench) all() []int { return b.those(func(*question) bool { return true }) }

// those are the questions that are wanted.
func (b *bench) those(wanted func(*question) bool) []int {
	var out []int
	for i := range b.questions {
		if wanted(&b.questions[i]) {
			out = append(out, i)
		}
	}
	return out
}
