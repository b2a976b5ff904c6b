package tune

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Config configures a calibration.
type Config struct {
	Profile  *profile.Profile // the profile to calibrate; nil means the paper's
	Passages lab.Passages     // the way to compare documents
	Folds    int              // default: 5
	Seed     uint64           // seed for folds and resampling
	// Progress, if not nil, is called with the number of rankings done and their total.
	Progress func(done, total int)
}

// Data is a set with the vectors of its documents.
type Data struct {
	Set    *sets.Set
	Corpus *lab.Corpus
}

// Result is a calibrated profile.
type Result struct {
	Sets []string // their names
	// Profile has the choices of the given profile, the calibration and its evidence. Its name
	// is empty.
	Profile     *profile.Profile
	Calibration Calibration
}

// run is the state of a call of Run.
type run struct {
	config    Config
	names     []string // of the sets
	questions []question
	folds     []int // by question
	ranked    int   // rankings done
	total     int   // rankings to do
}

// question is a query with the figures that are measured by it.
type question struct {
	set      int
	template string
	// Average precision of plain retrieval, of the paper's calculus and of the profile.
	plain, paper, own float64
	observed          []observation // the first results by the profile
}

// Run calibrates a profile on some sets.
func Run(ctx context.Context, data []Data, c Config) (*Result, error) {
	r := &run{config: c}
	out, err := r.run(ctx, data)
	if err != nil {
		return nil, fmt.Errorf("calibrating a profile: %w", err)
	}
	return out, nil
}

func (r *run) run(ctx context.Context, data []Data) (*Result, error) {
	if r.config.Profile == nil {
		r.config.Profile = profile.Paper()
	}
	if r.config.Folds == 0 {
		r.config.Folds = 5
	}
	if len(data) == 0 {
		return nil, errors.New("no set is given")
	}
	for _, d := range data {
		r.total += 3 * len(d.Set.Queries)
	}
	for _, d := range data {
		if err := r.add(ctx, d); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Set.Name, err)
		}
	}
	if r.config.Folds < 2 || r.config.Folds > len(r.questions) {
		return nil, fmt.Errorf("cannot make %d folds of %d queries; use from 2 folds to one per query", r.config.Folds, len(r.questions))
	}
	r.folds = r.deal(r.config.Folds, r.config.Seed)
	out := &Result{Sets: r.names}
	var err error
	if out.Calibration, err = r.calibration(); err != nil {
		out.Calibration = Calibration{Skipped: err.Error()}
	}
	out.Profile, err = r.profile(&out.Calibration)
	return out, err
}

// add measures the queries of a set.
func (r *run) add(ctx context.Context, d Data) error {
	if len(d.Set.Queries) == 0 {
		return errors.New("no queries to learn from")
	}
	first, set := len(r.questions), len(r.names)
	r.names = append(r.names, d.Set.Name)
	formulas, err := d.Corpus.Formulas(ctx, d.Set.Queries, fusion.Simple, fusion.Contextual)
	if err != nil {
		return err
	}
	for i, f := range formulas {
		q := question{set: set, template: d.Set.Queries[i].Template}
		if q.template == "" {
			q.template = string(profile.KindOf(f))
		}
		r.questions = append(r.questions, q)
	}
	own := r.questions[first:]
	for _, m := range []struct {
		mode    retrieve.Mode
		profile *profile.Profile
		to      func(*question) *float64
	}{
		{retrieve.Baseline, nil, func(q *question) *float64 { return &q.plain }},
		{retrieve.Exact, profile.Paper(), func(q *question) *float64 { return &q.paper }},
		{retrieve.Exact, r.config.Profile, func(q *question) *float64 { return &q.own }},
	} {
		outcomes, err := lab.Run(ctx, d.Set, d.Corpus, lab.Config{
			Methods: []retrieve.Mode{m.mode}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{r.config.Passages},
			Options: retrieve.Options{Profile: m.profile},
			Progress: func(done, _ int) {
				if r.config.Progress != nil {
					r.config.Progress(r.ranked+done, r.total)
				}
			},
		})
		r.ranked += len(own)
		if err != nil {
			return err
		}
		for i := range own {
			*m.to(&own[i]) = outcomes[0].Queries[i].AP
		}
	}
	return r.judge(ctx, d, formulas, own)
}

// profile returns the calibrated profile with its evidence.
func (r *run) profile(c *Calibration) (*profile.Profile, error) {
	p := choices(r.config.Profile)
	if c.Skipped == "" {
		p.Calibration = &c.Logistic
	}
	for s, name := range r.names {
		rows := r.of(s)
		gain, err := r.gain(rows)
		if err != nil {
			return nil, err
		}
		p.Evidence = append(p.Evidence, profile.Evidence{
			Set: name, Queries: len(rows),
			Baseline: r.mean(rows, func(q *question) float64 { return q.plain }),
			Paper:    r.mean(rows, func(q *question) float64 { return q.paper }),
			Estimate: r.mean(rows, func(q *question) float64 { return q.own }),
			Gain:     [2]float64{digits(gain.Low), digits(gain.High)},
		})
	}
	return p, nil
}

// choices returns a copy of a profile's choices, without operators that are the paper's.
func choices(p *profile.Profile) *profile.Profile {
	out := &profile.Profile{Encoder: p.Encoder, Hubness: p.Hubness, Words: p.Words, Feedback: p.Feedback, Operators: maps.Clone(p.Operators)}
	if p.Feedback.Documents == 0 || p.Feedback.Weight == 0 {
		out.Feedback = profile.Feedback{}
	}
	for kind, o := range out.Operators {
		for _, c := range []*logic.Coefficient{&o.Logic.And, &o.Logic.Not} {
			if c.Value() == 1 {
				*c = logic.Coefficient{}
			}
		}
		if out.Operators[kind] = o; o == (profile.Operator{}) {
			delete(out.Operators, kind)
		}
	}
	return out
}

// of returns the questions of a set.
func (r *run) of(set int) (rows []int) {
	for i := range r.questions {
		if r.questions[i].set == set {
			rows = append(rows, i)
		}
	}
	return rows
}

// mean returns the mean over templates of a figure of some questions, which are of one set.
func (r *run) mean(rows []int, of func(*question) float64) (mean float64) {
	weights := r.weights(rows)
	for k, i := range rows {
		mean += weights[k] * of(&r.questions[i])
	}
	return digits(mean)
}

// gain returns the interval of the profile's gain over the paper on the questions of one set,
// resampled within templates.
func (r *run) gain(rows []int) (*stats.Interval, error) {
	var paper, own []float64
	var strata []string
	for _, i := range rows {
		q := &r.questions[i]
		paper, own, strata = append(paper, q.paper), append(own, q.own), append(strata, q.template)
	}
	return stats.Bootstrap{Seed: r.config.Seed}.Difference(paper, own, strata)
}

// weights returns the weights of some questions, which sum to 1. Sets have equal weights, so
// have templates within a set, and so have questions within a template.
func (r *run) weights(rows []int) []float64 {
	type stratum struct {
		set      int
		template string
	}
	count := map[stratum]int{}
	templates := map[int]int{} // in each set
	for _, i := range rows {
		s := stratum{r.questions[i].set, r.questions[i].template}
		if count[s]++; count[s] == 1 {
			templates[s.set]++
		}
	}
	out := make([]float64, len(rows))
	for k, i := range rows {
		s := stratum{r.questions[i].set, r.questions[i].template}
		out[k] = 1 / float64(len(templates)*templates[s.set]) / float64(count[s])
	}
	return out
}

// Spread returns n of the queries of a set, evenly spaced within each template, or all if
// there are no more than n.
func Spread(queries []sets.Query, n int) []sets.Query {
	if n <= 0 || len(queries) <= n {
		return queries
	}
	count := map[string]int{}
	for i := range queries {
		count[queries[i].Template]++
	}
	seen := map[string]int{}
	var out []sets.Query
	for _, q := range queries {
		// About c·n/len of the c queries with this template are taken: those at which the
		// cumulative share passes a whole number.
		c := count[q.Template]
		want := max(1, int(math.Round(float64(c)*float64(n)/float64(len(queries)))))
		i := seen[q.Template]
		seen[q.Template]++
		if i*want/c != (i+1)*want/c {
			out = append(out, q)
		}
	}
	return out
}
