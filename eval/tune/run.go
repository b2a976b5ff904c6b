package tune

import (
	"context"
	"errors"
	"fmt"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/profile"
)

// Config says how a profile is learned.
type Config struct {
	// Default is what is in force, and stays so unless another is better beyond
	// doubt; nil: the paper.
	Default *profile.Profile
	// Passages is how documents are compared.
	Passages lab.Passages
	Folds    int    // 0: 5
	Seed     uint64 // of folds and resampling
	// Force takes what was learned whether it is worth it or not.
	Force bool
	// Progress, unless nil, is told how many rankings were made.
	Progress func(rankings int)
}

// Result is what was learned and what it is worth.
type Result struct {
	Config Config
	Sets   []Set

	// Profile is what is worth taking: the default, or Learned. It is calibrated
	// and says its evidence; its name is empty.
	Profile *profile.Profile
	Learned *profile.Profile // the best on all queries
	// Worth: the interval of its gain over the default is above 0 and, where there
	// are several sets, so is the gain on sets that took no part.
	Worth bool

	Tried     []Tried  // one change of the default at a time
	Chosen    []Chosen // where Learned differs from the default
	Seen      float64  // what Learned has on the queries that it was learned from
	Estimate  Estimate // by folds
	Templates []Estimate
	BySet     []Estimate // by folds
	LeftOut   []Estimate // by sets that nothing was learned from, and the mean; nil for one set

	Calibrations []Calibration
}

// Set is what was learned from.
type Set struct {
	Name, Split string
	Documents   int
	Queries, Of int // that took part, and all
}

// Estimate is what was measured on queries that took no part in the choice.
type Estimate struct {
	Name    string
	Queries int
	// Means of average precision: one vector for each query, the paper, the
	// default, and what was learned elsewhere.
	Baseline, Paper, Default, Learned float64
	// Gains of the last over the others.
	OverBaseline, OverPaper, OverDefault stats.Interval
	// Gain of the default over the paper.
	DefaultOverPaper stats.Interval
	// Choice is what was learned elsewhere, in words, where that is one profile.
	Choice string
}

// Tried is one change of the default.
type Tried struct {
	Kind         profile.Kind // empty: all
	Element      string
	From, To     string
	Gain, StdErr float64 // on all queries
}

// Chosen is an element in which Learned differs from the default.
type Chosen struct {
	Kind         profile.Kind
	Element      string
	From, To     string
	Folds        int     // that chose the same value
	Loss, StdErr float64 // on all queries, when it alone is put back
}

// Run learns a profile from sets and estimates its worth.
func Run(ctx context.Context, data []Data, c Config) (*Result, error) {
	if c.Default == nil {
		c.Default = profile.Paper()
	}
	if c.Folds == 0 {
		c.Folds = 5
	}
	if len(data) == 0 {
		return nil, errors.New("learning a profile: there is no set to learn from")
	}
	b, err := newBench(ctx, data, c.Passages)
	if err != nil {
		return nil, fmt.Errorf("learning a profile: %w", err)
	}
	if c.Folds < 2 || c.Folds > len(b.questions) {
		return nil, fmt.Errorf("learning a profile: %d folds of %d queries cannot be made; take between 2 and as many as there are queries", c.Folds, len(b.questions))
	}
	b.progress = c.Progress
	r := &run{bench: b, config: c, start: bare(c.Default), result: &Result{Config: c}}
	for _, d := range data {
		r.result.Sets = append(r.result.Sets, Set{
			Name: d.Set.Name, Split: d.Set.Split, Documents: len(d.Corpus.IDs), Queries: len(d.Set.Queries), Of: max(d.Of, len(d.Set.Queries)),
		})
	}
	for _, step := range []func(context.Context) error{r.learn, r.estimate, r.explain, r.calibrate} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("learning a profile: %w", err)
		}
	}
	r.result.Profile = r.profile()
	return r.result, nil
}

// run is one run of Run.
type run struct {
	*bench
	config Config
	start  *profile.Profile
	result *Result

	fold    []int
	folds   []*profile.Profile // learned without each fold
	leftOut []*profile.Profile // learned without each set
	taken   *profile.Profile   // the result's, not calibrated yet
	logits  map[profile.Kind]profile.Logistic
}

func (r *run) learn(ctx context.Context) error {
	if err := r.baseline(ctx); err != nil {
		return err
	}
	if err := r.measure(ctx, profile.Paper()); err != nil {
		return err
	}
	k := r.config.Folds
	r.fold = r.bench.folds(k, r.config.Seed)
	learned, err := r.bench.learn(ctx, r.start, r.trainings(r.fold, k))
	if err != nil {
		return err
	}
	r.result.Learned, r.folds, r.leftOut = learned[0], learned[1:k+1], learned[k+1:]
	r.result.Seen, _ = r.mean(r.values(r.result.Learned), r.all())
	return nil
}

// estimate measures what was learned on what it was not learned from.
func (r *run) estimate(context.Context) error {
	values := r.heldOut(r.folds, func(i int) int { return r.fold[i] })
	var err error
	if r.result.Estimate, err = r.estimateOf("all", values, r.all()); err != nil {
		return err
	}
	var templates []string
	for _, s := range r.strata {
		templates = append(templates, s.template)
	}
	for _, name := range lab.Templates(templates) {
		e, err := r.estimateOf(name, values, r.those(func(q *question) bool { return r.strata[q.stratum].template == name }))
		if err != nil {
			return err
		}
		r.result.Templates = append(r.result.Templates, e)
	}
	for s, p := range r.places {
		e, err := r.estimateOf(p.Set.Name, values, r.those(func(q *question) bool { return q.set == s }))
		if err != nil {
			return err
		}
		r.result.BySet = append(r.result.BySet, e)
	}
	if err := r.estimateLeftOut(); err != nil {
		return err
	}
	learned := r.result.Learned
	r.result.Worth = !same(learned, r.start) && r.result.Estimate.OverDefault.Low > 0
	if n := len(r.result.LeftOut); n > 0 {
		r.result.Worth = r.result.Worth && r.result.LeftOut[n-1].OverDefault.Value > 0
	}
	r.taken = r.start
	if r.result.Worth || r.config.Force {
		r.taken = learned
	}
	return nil
}

// estimateLeftOut measures, where there are several sets, what was learned from the
// others.
func (r *run) estimateLeftOut() error {
	if len(r.places) < 2 {
		return nil
	}
	values := r.heldOut(r.leftOut, func(i int) int { return r.questions[i].set })
	for s, p := range r.places {
		e, err := r.estimateOf(p.Set.Name, values, r.those(func(q *question) bool { return q.set == s }))
		if err != nil {
			return err
		}
		e.Choice = describe(r.leftOut[s])
		r.result.LeftOut = append(r.result.LeftOut, e)
	}
	e, err := r.estimateOf("mean", values, r.all())
	r.result.LeftOut = append(r.result.LeftOut, e)
	return err
}

// heldOut are the values of each question by the profile that was learned without
// it.
func (r *run) heldOut(profiles []*profile.Profile, without func(question int) int) []float64 {
	out := make([]float64, len(r.questions))
	for i := range out {
		q := &r.questions[i]
		out[i] = q.known[q.trial(profiles[without(i)])]
	}
	return out
}

func (r *run) estimateOf(name string, learned []float64, rows []int) (e Estimate, err error) {
	e = Estimate{Name: name, Queries: len(rows)}
	paper, start, plain := r.values(profile.Paper()), r.values(r.start), r.by(func(q *question) float64 { return q.plain })
	for _, m := range []struct {
		to     *float64
		values []float64
	}{{&e.Baseline, plain}, {&e.Paper, paper}, {&e.Default, start}, {&e.Learned, learned}} {
		*m.to, _ = r.mean(m.values, rows)
	}
	for _, g := range []struct {
		to           *stats.Interval
		base, method []float64
	}{{&e.OverBaseline, plain, learned}, {&e.OverPaper, paper, learned}, {&e.OverDefault, start, learned}, {&e.DefaultOverPaper, paper, start}} {
		if *g.to, err = r.interval(g.base, g.method, rows, r.config.Seed); err != nil {
			return e, err
		}
	}
	return e, nil
}
