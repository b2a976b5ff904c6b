package tune

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/measure"
	"github.com/nsfl-go/nsfl/fusion"
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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(b.questions) {
					return
				}
				if err := f(ctx, i); err != nil {
					cancel(fmt.Errorf("query %s: %w", b.questions[i].query.ID, err))
					return
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// columns names what is found once: rankings by the same similarities.
type columns struct {
	refinement
	fusion    fusion.Style
	geometric bool
}

// measure ranks the questions by profiles, as far as that is not known.
func (b *bench) measure(ctx context.Context, profiles ...*profile.Profile) error {
	return b.each(ctx, func(ctx context.Context, i int) error {
		q := &b.questions[i]
		operators := map[columns][]profile.Operator{}
		for _, p := range profiles {
			t := q.trial(p)
			if _, known := q.known[t]; known {
				continue
			}
			q.known[t] = math.NaN()
			c := columns{t.refinement, t.operator.Fusion, t.operator.Geometric}
			operators[c] = append(operators[c], t.operator)
		}
		if len(operators) == 0 {
			return nil
		}
		s := b.searcher(q)
		for c, some := range operators {
			if err := b.rank(ctx, s, q, c, some); err != nil {
				return err
			}
			if done := b.done.Add(int64(len(some))); b.progress != nil {
				b.progress(int(done))
			}
		}
		return nil
	})
}

// searcher searches for one question.
func (b *bench) searcher(q *question) *retrieve.Searcher {
	p := b.places[q.set]
	return &retrieve.Searcher{Store: remember(p.store), Encoder: p.encoder}
}

// rank finds the similarities of all documents once, and ranks by each operator.
func (b *bench) rank(ctx context.Context, s *retrieve.Searcher, q *question, c columns, operators []profile.Operator) error {
	found, err := find(ctx, s, q, c, operators[0].Logic, lab.Depth)
	if err != nil {
		return err
	}
	for _, o := range operators {
		ranking, err := found.Rank(o.Logic, lab.Depth)
		if err != nil {
			return err
		}
		if q.known[trial{c.refinement, o}], err = b.precision(q, found, ranking); err != nil {
			return err
		}
	}
	return nil
}

// find is what a search with a profile finds in all documents.
func find(ctx context.Context, s *retrieve.Searcher, q *question, c columns, o logic.Options, depth int) (*retrieve.Candidates, error) {
	options := retrieve.Options{
		Mode: retrieve.Exact, K: lab.Depth, Fusion: c.fusion, Logic: o,
		Profile: &profile.Profile{Name: "trial", Hubness: c.hubness, Feedback: c.feedback},
	}
	if c.geometric {
		options.Mode = retrieve.GeoOpt
	}
	prepared, err := s.Prepare(ctx, q.formula, options)
	if err != nil {
		return nil, err
	}
	prepared.Options.K = depth
	return s.Find(ctx, prepared.Encoded, prepared.Options)
}

// precision is the average precision of a ranking.
func (b *bench) precision(q *question, found *retrieve.Candidates, ranking *retrieve.Ranking) (float64, error) {
	ids := make([]string, len(ranking.Lines))
	for i, line := range ranking.Lines {
		ids[i] = b.places[q.set].data.Corpus.IDs[found.Refs[line]]
	}
	j, err := measure.Judge(ids, q.query.Grade, q.ideal)
	if err != nil {
		return 0, err
	}
	return j.AveragePrecision(lab.Depth, measure.Reachable), nil
}

// baseline ranks by one vector for each query.
func (b *bench) baseline(ctx context.Context) error {
	return b.each(ctx, func(ctx context.Context, i int) error {
		q := &b.questions[i]
		s := b.searcher(q)
		prepared, err := s.Prepare(ctx, q.formula, retrieve.Options{Mode: retrieve.Baseline, K: lab.Depth})
		if err != nil {
			return err
		}
		found, err := s.Find(ctx, prepared.Encoded, prepared.Options)
		if err != nil {
			return err
		}
		ranking, err := found.Rank(logic.Options{}, lab.Depth)
		if err != nil {
			return err
		}
		q.plain, err = b.precision(q, found, ranking)
		return err
	})
}

// values are those of a profile that was measured, by question.
func (b *bench) values(p *profile.Profile) []float64 {
	out := make([]float64, len(b.questions))
	for i := range out {
		q := &b.questions[i]
		out[i] = q.known[q.trial(p)]
	}
	return out
}

// plain are those of one vector for each query.
func (b *bench) plain() []float64 {
	out := make([]float64, len(b.questions))
	for i := range out {
		out[i] = b.questions[i].plain
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
