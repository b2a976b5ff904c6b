package tune

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// bench measures choices; each choice is measured once for each question.
type bench struct {
	start     *profile.Profile // the profile whose settings vary
	places    []place
	questions []question
	strata    []stratum

	progress func(rankings int)
	done     atomic.Int64
}

// profile returns the default profile with other choices, neither calibrated nor proven.
func (b *bench) profile(c choice) *profile.Profile {
	p := *b.start
	p.Hubness, p.Words, p.Feedback = c.hubness, c.words, c.feedback
	p.Calibration, p.Evidence = nil, nil
	return &p
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

// measure ranks the questions by choices, unless the result is already known.
func (b *bench) measure(ctx context.Context, choices ...choice) error {
	return b.each(ctx, func(ctx context.Context, i int) error {
		q := &b.questions[i]
		for _, c := range choices {
			if _, known := q.known[c]; known {
				continue
			}
			found, ranking, err := b.rank(ctx, q, c, lab.Depth)
			if err != nil {
				return err
			}
			m, err := lab.Measure(q.query, b.places[q.set].Corpus.Ranked(found, ranking))
			if err != nil {
				return err
			}
			q.known[c] = m.AP
			if done := b.done.Add(1); b.progress != nil {
				b.progress(int(done))
			}
		}
		return nil
	})
}

// rank ranks all documents for a question.
func (b *bench) rank(ctx context.Context, q *question, c choice, depth int) (*retrieve.Candidates, *retrieve.Ranking, error) {
	return lab.Rank(ctx, b.places[q.set].searcher, retrieve.Ask(q.formula), retrieve.Options{
		K: lab.Depth, Profile: b.profile(c), Research: retrieve.Research{Mode: retrieve.Exact},
	}, depth)
}

// values returns the values of a measured choice, by question.
func (b *bench) values(c choice) []float64 {
	return b.by(func(i int) float64 { return b.questions[i].known[c] })
}

// plain returns the values of the baseline.
func (b *bench) plain() []float64 {
	return b.by(func(i int) float64 { return b.questions[i].plain })
}

// paper returns the values of the paper's calculus.
func (b *bench) paper() []float64 {
	return b.by(func(i int) float64 { return b.questions[i].paper })
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
