package tune

import (
	"context"

	"github.com/nsfl-go/nsfl/profile"
)

// Change is a change of one element of the default profile.
type Change struct {
	Element      string
	From, To     string
	Gain, StdErr float64 // over the default, on all queries

	Chosen bool // whether the learned choice has the change
	Folds  int  // number of folds that chose it, too
}

// chosen reports whether the learned choice differs from the default.
func (r *Result) chosen() bool { return r.learned != choiceOf(r.Config.Default) }

// explain records the changes that were tried.
func (r *run) explain(ctx context.Context) error {
	start, learned := choiceOf(r.start), r.result.learned
	tried := start.changes()
	var choices []choice
	for _, c := range tried {
		choices = append(choices, c.to)
	}
	if err := r.measure(ctx, choices...); err != nil {
		return err
	}
	for _, c := range tried {
		x := Change{Element: c.name, From: c.show(start), To: c.show(c.to)}
		x.Gain, x.StdErr = r.gain(start, c.to, r.all())
		if x.Chosen = c.show(learned) == x.To; x.Chosen {
			for _, fold := range r.folds {
				if c.show(fold) == x.To {
					x.Folds++
				}
			}
		}
		r.result.Changes = append(r.result.Changes, x)
	}
	return nil
}

// profile returns the resulting profile with its calibration and its evidence.
func (r *run) profile() (*profile.Profile, error) {
	p := r.bench.profile(r.taken)
	p.Name = ""
	if c := &r.result.Calibration; c.Skipped == "" {
		p.Calibration = &c.Logistic
	}
	values := r.values(choiceOf(r.start))
	if r.taken == r.result.learned {
		values = r.heldOut
	}
	for s := range r.places {
		rows := r.those(func(q *question) bool { return q.set == s })
		gain, err := r.interval(r.paper(), values, rows, r.config.Seed)
		if err != nil {
			return nil, err
		}
		mean := func(values []float64) float64 {
			m, _ := r.mean(values, rows)
			return digits(m)
		}
		p.Evidence = append(p.Evidence, profile.Evidence{
			Set: r.result.Sets[s].Name, Queries: len(rows), Baseline: mean(r.plain()), Paper: mean(r.paper()),
			Estimate: mean(values), Gain: [2]float64{digits(gain.Low), digits(gain.High)},
		})
	}
	return p, nil
}
