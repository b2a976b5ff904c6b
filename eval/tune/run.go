package tune

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	// Calibrate keeps the default's choices and learns only what scores are worth.
	Calibrate bool
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

	Changes   []Change   // of one element of the default
	Seen      float64    // what Learned has on the queries that it was learned from
	Estimates []Estimate // by folds: of templates, of sets where there are several, and the mean
	LeftOut   []Estimate // by sets that nothing was learned from, and the mean; nil for one set

	Calibration Calibration
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
	// Choice is what was learned elsewhere, in words, where that is one profile.
	Choice string
}

// mean is the last estimate, of all queries.
func (r *Result) mean(estimates []Estimate) *Estimate { return &estimates[len(estimates)-1] }

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
	steps := []func(context.Context) error{r.learn, r.estimate, r.explain, r.calibrate}
	if c.Calibrate { // there is no choice to explain
		steps = slices.Delete(steps, 2, 3)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("learning a profile: %w", err)
		}
	}
	if r.result.Profile, err = r.profile(); err != nil {
		return nil, fmt.Errorf("learning a profile: %w", err)
	}
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
	heldOut []float64          // of each question, by what was learned without its fold
	taken   *profile.Profile   // the result's, not calibrated yet
}

func (r *run) learn(ctx context.Context) error {
	if err := r.measure(ctx, profile.Paper()); err != nil {
		return err
	}
	k := r.config.Folds
	r.fold = r.bench.folds(k, r.config.Seed)
	trainings := r.trainings(r.fold, k)
	learned := slices.Repeat([]*profile.Profile{r.start}, len(trainings))
	var err error
	if r.config.Calibrate {
		err = r.measure(ctx, r.start)
	} else {
		learned, err = r.bench.learn(ctx, r.start, trainings)
	}
	if err != nil {
		return err
	}
	r.result.Learned, r.folds, r.leftOut = learned[0], learned[1:k+1], learned[k+1:]
	r.result.Seen, _ = r.mean(r.values(r.result.Learned), r.all())
	return nil
}

// estimate measures what was learned on what it was not learned from.
func (r *run) estimate(context.Context) (err error) {
	r.heldOut = r.by(func(i int) float64 { return r.questions[i].value(r.folds[r.fold[i]]) })
	add := func(to *[]Estimate, name string, values []float64, rows []int) {
		if err == nil {
			var e Estimate
			e, err = r.estimateOf(name, values, rows)
			*to = append(*to, e)
		}
	}
	var templates []string
	for _, s := range r.strata {
		templates = append(templates, s.template)
	}
	for _, name := range lab.Templates(templates) {
		add(&r.result.Estimates, name, r.heldOut, r.those(func(q *question) bool { return r.strata[q.stratum].template == name }))
	}
	if len(r.places) > 1 {
		values := r.by(func(i int) float64 { return r.questions[i].value(r.leftOut[r.questions[i].set]) })
		for s, p := range r.places {
			rows := r.those(func(q *question) bool { return q.set == s })
			add(&r.result.Estimates, p.Set.Name, r.heldOut, rows)
			add(&r.result.LeftOut, p.Set.Name, values, rows)
			if err != nil {
				return err
			}
			r.result.LeftOut[s].Choice = describe(r.leftOut[s])
		}
		add(&r.result.LeftOut, "mean", values, r.all())
	}
	add(&r.result.Estimates, "mean", r.heldOut, r.all())
	if err != nil {
		return err
	}
	learned := r.result.Learned
	r.result.Worth = !same(learned, r.start) && r.result.mean(r.result.Estimates).OverDefault.Low > 0
	if r.result.LeftOut != nil {
		r.result.Worth = r.result.Worth && r.result.mean(r.result.LeftOut).OverDefault.Value > 0
	}
	r.taken = r.start
	if r.result.Worth || r.config.Force {
		r.taken = learned
	}
	return nil
}

func (r *run) estimateOf(name string, learned []float64, rows []int) (e Estimate, err error) {
	e = Estimate{Name: name, Queries: len(rows)}
	e.Learned, _ = r.mean(learned, rows)
	for _, m := range []struct {
		values []float64
		mean   *float64
		over   *stats.Interval
	}{{r.plain(), &e.Baseline, &e.OverBaseline}, {r.values(profile.Paper()), &e.Paper, &e.OverPaper}, {r.values(r.start), &e.Default, &e.OverDefault}} {
		*m.mean, _ = r.mean(m.values, rows)
		if *m.over, err = r.interval(m.values, learned, rows, r.config.Seed); err != nil {
			return e, err
		}
	}
	return e, nil
}
