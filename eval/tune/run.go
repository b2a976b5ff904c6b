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

// Config configures how a profile is learned.
type Config struct {
	// Default is the current profile, which is kept unless another is significantly better;
	// nil means the paper's.
	Default *profile.Profile
	// Passages is the way to compare documents.
	Passages lab.Passages
	Folds    int    // default: 5
	Seed     uint64 // seed for folds and resampling
	// Calibrate keeps the default's choices and only fits probabilities to scores.
	Calibrate bool
	// Force uses the learned profile even if it is not significantly better.
	Force bool
	// Progress, if not nil, is called with the number of rankings made.
	Progress func(rankings int)
}

// Result is a learned profile and an estimate of its worth.
type Result struct {
	Config Config
	Data   []Data

	// Profile is the profile to use: the default, or the learned one. It is calibrated and states its
	// evidence; its name is empty.
	Profile *profile.Profile
	learned choice // the best on all queries
	// Worth reports whether the interval of the gain over the default is above 0 and, with
	// several sets, so is the gain on sets not used for learning.
	Worth bool

	Changes   []Change   // single changes of the default
	Seen      float64    // value of the learned choice on its own training queries
	Estimates []Estimate // cross-validated: by template, by set if there are several, and the mean
	LeftOut   []Estimate // on sets not used for learning, and the mean; nil for one set

	Calibration Calibration
}

// Estimate is measured on queries not used for the choice.
type Estimate struct {
	Name    string
	Queries int
	// Means of average precision: one vector per query, the paper, the default, and the
	// profile learned on other queries.
	Baseline, Paper, Default, Learned float64
	OverDefault                       stats.Interval // gain of Learned over Default
	// Choice describes what was learned on other queries, if it is one choice.
	Choice string
}

// mean returns the last estimate, which covers all queries.
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
		return nil, errors.New("learning a profile: no set to learn from")
	}
	b, err := newBench(ctx, data, c.Passages, c.Default)
	if err != nil {
		return nil, fmt.Errorf("learning a profile: %w", err)
	}
	if c.Folds < 2 || c.Folds > len(b.questions) {
		return nil, fmt.Errorf("learning a profile: cannot make %d folds of %d queries; use from 2 folds to one per query", c.Folds, len(b.questions))
	}
	b.progress = c.Progress
	r := &run{bench: b, config: c, result: &Result{Config: c, Data: data}}
	steps := []func(context.Context) error{r.learn, r.estimate, r.explain, r.calibrate}
	if c.Calibrate { // no choices to explain
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

// run is the state of a call of Run.
type run struct {
	*bench
	config Config
	result *Result

	fold    []int
	folds   []choice  // learned without each fold
	leftOut []choice  // learned without each set
	heldOut []float64 // value of each question by the choice learned without its fold
	taken   choice    // the resulting choice

	irrelevant [][]observation // of questions that a set cannot answer, by set
}

func (r *run) learn(ctx context.Context) error {
	k := r.config.Folds
	r.fold = r.bench.folds(k, r.config.Seed)
	trainings := r.trainings(r.fold, k)
	start := choiceOf(r.start)
	learned := slices.Repeat([]choice{start}, len(trainings))
	var err error
	if r.config.Calibrate {
		err = r.measure(ctx, start)
	} else {
		learned, err = r.bench.learn(ctx, trainings)
	}
	if err != nil {
		return err
	}
	r.result.learned, r.folds, r.leftOut = learned[0], learned[1:k+1], learned[k+1:]
	r.result.Seen, _ = r.mean(r.values(r.result.learned), r.all())
	return nil
}

// estimate measures choices on the questions they were not learned from.
func (r *run) estimate(context.Context) (err error) {
	r.heldOut = r.by(func(i int) float64 { return r.questions[i].known[r.folds[r.fold[i]]] })
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
		values := r.by(func(i int) float64 { return r.questions[i].known[r.leftOut[r.questions[i].set]] })
		for s, p := range r.places {
			rows := r.those(func(q *question) bool { return q.set == s })
			add(&r.result.Estimates, p.Set.Name, r.heldOut, rows)
			add(&r.result.LeftOut, p.Set.Name, values, rows)
			if err != nil {
				return err
			}
			r.result.LeftOut[s].Choice = r.leftOut[s].String()
		}
		add(&r.result.LeftOut, "mean", values, r.all())
	}
	add(&r.result.Estimates, "mean", r.heldOut, r.all())
	if err != nil {
		return err
	}
	start, learned := choiceOf(r.start), r.result.learned
	r.result.Worth = learned != start && r.result.mean(r.result.Estimates).OverDefault.Low > 0
	if r.result.LeftOut != nil {
		r.result.Worth = r.result.Worth && r.result.mean(r.result.LeftOut).OverDefault.Value > 0
	}
	r.taken = start
	if r.result.Worth || r.config.Force {
		r.taken = learned
	}
	return nil
}

func (r *run) estimateOf(name string, learned []float64, rows []int) (e Estimate, err error) {
	e = Estimate{Name: name, Queries: len(rows)}
	before := r.values(choiceOf(r.start))
	e.Baseline, _ = r.mean(r.plain(), rows)
	e.Paper, _ = r.mean(r.paper(), rows)
	e.Default, _ = r.mean(before, rows)
	e.Learned, _ = r.mean(learned, rows)
	e.OverDefault, err = r.interval(before, learned, rows, r.config.Seed)
	return e, err
}
