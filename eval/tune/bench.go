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

// bench measures profiles; each trial of each question is measured once.
type bench struct {
	places    []place
	questions []question
	strata    []stratum

	progress func(rankings int)
	done     atomic.Int64
}

// each calls f for all questions, on all processors, until a call fails.
func (b *bench) each(ctx context.Context, f func(ctx context.Context, i int) error) error {
	return workers.Each(ctx, len(b.questions), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		if err := f(ctx, i); err != nil {
			return fmt.Errorf("query %s: %w", b.questions[i].query.ID, err)
		}
		return nil
	})
}

// measure ranks the questions by profiles, unless the result is already known.
func (b *bench) measure(ctx context.Context, profiles ...*profile.Profile) error {
	return b.each(ctx, func(ctx context.Context, i int) error {
		q := &b.questions[i]
		calculi := map[trial][]logic.Options{} // options that share the same similarities
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
			found, err := lab.Find(ctx, s, retrieve.Ask(q.formula), t.options())
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

// options returns the options for a search over all documents.
func (t trial) options() retrieve.Options {
	p := &profile.Profile{Name: "trial", Hubness: t.hubness, Words: t.words, Feedback: t.feedback}
	return retrieve.Options{K: lab.Depth, Profile: p, Research: retrieve.Research{Mode: retrieve.Exact, Fusion: &t.operator.Fusion}}
}

// rank orders the candidates by the calculus with the given options.
func rank(found *retrieve.Candidates, o logic.Options, depth int) (*retrieve.Ranking, error) {
	again, err := found.Again(retrieve.Options{Research: retrieve.Research{Logic: &o}})
	if err != nil {
		return nil, err
	}
	return again.Rank(depth)
}

// precision returns the average precision of the candidates, ranked by the calculus.
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

// values returns the values of a measured profile, by question.
func (b *bench) values(p *profile.Profile) []float64 {
	return b.by(func(i int) float64 { return b.questions[i].value(p) })
}

// plain returns the values of the baseline.
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

func (b *bench) all() []int { return b.those(func(*question) bool { return true }) }

func (b *bench) those(wanted func(*question) bool) []int {
	var out []int
	for i := range b.questions {
		if wanted(&b.questions[i]) {
			out = append(out, i)
		}
	}
	return out
}
