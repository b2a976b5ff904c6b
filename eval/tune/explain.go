package tune

import (
	"context"

	"github.com/nsfl-go/nsfl/profile"
)

// Change is a choice that differs from the default in one setting.
type Change struct {
	To           string
	Gain, StdErr float64 // over the default, on all queries
	Folds        int     // number of folds that chose it
}

// chosen reports whether the learned choice differs from the default.
func (r *Result) chosen() bool { return r.learned != choiceOf(r.Config.Default) }

// explain records the changes that were tried.
func (r *run) explain(ctx context.Context) error {
	start := choiceOf(r.start)
	tried := start.changes()
	if err := r.measure(ctx, tried...); err != nil {
		return err
	}
	for _, c := range tried {
		x := Change{To: c.String()}
		x.Gain, x.StdErr = r.gain(start, c, r.all())
		for _, fold := range r.folds {
			if fold == c {
				x.Folds++
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
			Set: r.places[s].Set.Name, Queries: len(rows), Baseline: mean(r.plain()), Paper: mean(r.paper()),
			Estimate: mean(values), Gain: [2]float64{digits(gain.Low), digits(gain.High)},
		})
	}
	return p, nil
}
