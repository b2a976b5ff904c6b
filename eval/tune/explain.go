package tune

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/profile"
)

// Change is a change of one element of the default profile.
type Change struct {
	Kind         profile.Kind // kind of formulas; empty for all
	Element      string
	From, To     string
	Gain, StdErr float64 // over the default, on all queries

	// Chosen reports whether Learned has the change. Otherwise the following are 0.
	Chosen        bool
	Folds         int     // number of folds that chose it
	Loss, LossErr float64 // on all queries, when only this change is reverted
}

// chosen reports whether Learned differs from the default.
func (r *Result) chosen() bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Chosen })
}

// explain records the changes that were tried and the value of each choice.
func (r *run) explain(ctx context.Context) error {
	// Consider only elements for kinds of formulas that occur.
	elements := slices.DeleteFunc(elements(), func(e *element) bool {
		return e.kind != "" && !slices.ContainsFunc(r.questions, func(q question) bool { return q.kind == e.kind })
	})
	tried, learned := changes(elements, r.start), r.result.Learned
	var profiles []*profile.Profile
	for _, c := range tried {
		profiles = append(profiles, c.on(r.start), c.back(r.start).on(learned))
	}
	if err := r.measure(ctx, profiles...); err != nil {
		return err
	}
	for _, c := range tried {
		e := c.element
		x := Change{Kind: e.kind, Element: e.name, From: e.show(r.start), To: e.show(c.to)}
		x.Gain, x.StdErr = r.gain(r.start, c.on(r.start), r.all())
		if x.Chosen = e.show(learned) == x.To; x.Chosen {
			x.Loss, x.LossErr = r.gain(c.back(r.start).on(learned), learned, r.all())
			for _, p := range r.folds {
				if e.show(p) == x.To {
					x.Folds++
				}
			}
		}
		r.result.Changes = append(r.result.Changes, x)
	}
	return nil
}

func (r *run) profile() (*profile.Profile, error) {
	p := bare(r.taken)
	p.Name = ""
	if c := &r.result.Calibration; c.Skipped == "" {
		p.Calibration = &c.Logistic
	}
	for k, o := range p.Operators {
		if o == (profile.Operator{}) {
			delete(p.Operators, k)
		}
	}
	values := r.values(r.start)
	if r.taken == r.result.Learned {
		values = r.heldOut
	}
	for s := range r.places {
		rows := r.those(func(q *question) bool { return q.set == s })
		gain, err := r.interval(r.values(profile.Paper()), values, rows, r.config.Seed)
		if err != nil {
			return nil, err
		}
		mean := func(values []float64) float64 {
			m, _ := r.mean(values, rows)
			return digits(m)
		}
		p.Evidence = append(p.Evidence, profile.Evidence{
			Set: r.result.Sets[s].Name, Queries: len(rows), Baseline: mean(r.plain()), Paper: mean(r.values(profile.Paper())),
			Estimate: mean(values), Gain: [2]float64{digits(gain.Low), digits(gain.High)},
		})
	}
	return p, nil
}
