package tune

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/profile"
)

// explain says what was tried and what each choice is worth.
func (r *run) explain(ctx context.Context) error {
	// Of the elements those of kinds of formulas that occur.
	elements := slices.DeleteFunc(elements(), func(e *element) bool {
		return e.kind != "" && !slices.ContainsFunc(r.questions, func(q question) bool { return q.kind == e.kind })
	})
	tried := changes(elements, r.start)
	var profiles []*profile.Profile
	for _, c := range tried {
		profiles = append(profiles, c.on(r.start))
	}
	var chosen []change // back to the default
	learned := r.result.Learned
	for _, e := range elements {
		if e.show(learned) != e.show(r.start) {
			c := change{e, r.start}
			chosen = append(chosen, c)
			profiles = append(profiles, c.on(learned))
		}
	}
	if err := r.measure(ctx, profiles...); err != nil {
		return err
	}
	for _, c := range tried {
		t := Tried{Kind: c.element.kind, Element: c.element.name, From: c.element.show(r.start), To: c.element.show(c.to)}
		t.Gain, t.StdErr = r.gain(r.start, c.on(r.start), r.all())
		r.result.Tried = append(r.result.Tried, t)
	}
	for _, c := range chosen {
		x := Chosen{Kind: c.element.kind, Element: c.element.name, From: c.element.show(r.start), To: c.element.show(learned)}
		x.Loss, x.StdErr = r.gain(c.on(learned), learned, r.all())
		for _, p := range r.folds {
			if c.element.show(p) == x.To {
				x.Folds++
			}
		}
		r.result.Chosen = append(r.result.Chosen, x)
	}
	return nil
}

// profile is the one that is worth taking.
func (r *run) profile() *profile.Profile {
	p := bare(r.taken)
	p.Name = ""
	p.Calibrations = r.logits
	for k, o := range p.Operators {
		if o == (profile.Operator{}) {
			delete(p.Operators, k)
		}
	}
	for i, e := range r.result.BySet {
		x := profile.Evidence{
			Set: r.result.Sets[i].Name, Queries: e.Queries, Baseline: digits(e.Baseline), Paper: digits(e.Paper),
			Estimate: digits(e.Default), Gain: [2]float64{digits(e.DefaultOverPaper.Low), digits(e.DefaultOverPaper.High)},
		}
		if r.taken == r.result.Learned {
			x.Estimate = digits(e.Learned)
			x.Gain = [2]float64{digits(e.OverPaper.Low), digits(e.OverPaper.High)}
		}
		p.Evidence = append(p.Evidence, x)
	}
	return p
}
