package tune

import (
	"fmt"
	"strconv"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

// element is one thing that a profile chooses.
type element struct {
	kind profile.Kind // of formulas; empty: all of them
	name string
	// values are what is tried, as profiles of which this element alone counts.
	values []*profile.Profile
	// copy takes the element from another profile, which copies of p do not share.
	copy func(p, from *profile.Profile)
	show func(p *profile.Profile) string
	// matters reports whether it changes anything beside the rest of a profile.
	matters func(p *profile.Profile) bool
}

// change is an element with another value.
type change struct {
	element *element
	to      *profile.Profile
}

// on is a profile with the change.
func (c change) on(p *profile.Profile) *profile.Profile {
	out := bare(p)
	c.element.copy(out, c.to)
	return out
}

// bare is a copy of what a profile chooses, in which what is the same is equal.
func bare(p *profile.Profile) *profile.Profile {
	out := &profile.Profile{Name: p.Name, Encoder: p.Encoder, Operators: map[profile.Kind]profile.Operator{}}
	r := refinementOf(p)
	out.Hubness, out.Feedback = r.hubness, r.feedback
	for k, o := range p.Operators {
		o.Logic.And, o.Logic.Not = coefficient(o.Logic.And.Value()), coefficient(o.Logic.Not.Value())
		if o.Logic.Gate.Power == 1 {
			o.Logic.Gate.Power = 0
		}
		out.Operators[k] = o
	}
	return out
}

// same reports whether two profiles choose the same.
func same(p, q *profile.Profile) bool {
	if refinementOf(p) != refinementOf(q) {
		return false
	}
	for _, k := range profile.Kinds() {
		if p.Operators[k] != q.Operators[k] {
			return false
		}
	}
	return true
}

// changes are all values of elements that a profile does not have.
func changes(elements []*element, p *profile.Profile) []change {
	var out []change
	for _, e := range elements {
		if !e.matters(p) {
			continue
		}
		for _, v := range e.values {
			if e.show(v) != e.show(p) {
				out = append(out, change{e, v})
			}
		}
	}
	return out
}

// refinements are the elements that are common to all formulas.
func refinements() []*element {
	always := func(*profile.Profile) bool { return true }
	hubness := &element{
		name: "hubness", matters: always,
		copy: func(p, from *profile.Profile) { p.Hubness = from.Hubness },
		show: func(p *profile.Profile) string { return number(p.Hubness) },
	}
	for _, h := range []float64{0, 0.3, 0.5} {
		hubness.values = append(hubness.values, &profile.Profile{Hubness: h})
	}
	feedback := &element{
		name: "feedback", matters: always,
		copy: func(p, from *profile.Profile) { p.Feedback = from.Feedback },
		show: func(p *profile.Profile) string {
			f := refinementOf(p).feedback
			if f.Documents == 0 {
				return "none"
			}
			return fmt.Sprintf("%d × %s", f.Documents, number(f.Weight))
		},
		values: []*profile.Profile{{}},
	}
	for _, n := range []int{10, 30} {
		for _, w := range []float64{0.25, 0.5} {
			feedback.values = append(feedback.values, &profile.Profile{Feedback: profile.Feedback{Documents: n, Weight: w}})
		}
	}
	return []*element{hubness, feedback}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// tuned are the kinds of formulas that operators are learned for.
var tuned = []profile.Kind{profile.And, profile.AndNot, profile.AndAndNot, profile.Or}

// operators are the elements of one kind of formulas.
func operators(kind profile.Kind) []*element {
	and := kind == profile.And || kind == profile.AndAndNot    // there are several wanted
	not := kind == profile.AndNot || kind == profile.AndAndNot // something is negated
	deltas := func(o profile.Operator) bool { return !o.Geometric && o.Logic.Operator == logic.Deltas }

	forms := []profile.Operator{{}, {Logic: logic.Options{Operator: logic.Product}}}
	if kind != profile.Or { // of which it has no form of its own
		forms = append(forms, profile.Operator{Geometric: true})
	}
	out := []*element{
		of(kind, "operator", forms, func(o *profile.Operator, from profile.Operator) {
			*o = from // what else was chosen was chosen beside another one
		}, func(o profile.Operator) string {
			if o.Geometric {
				return "geometric"
			}
			return o.Logic.Operator.String()
		}, func(profile.Operator) bool { return true }),

		of(kind, "fusion", []profile.Operator{{}, {Fusion: fusion.Contextual}, {Fusion: fusion.Ensemble}},
			func(o *profile.Operator, from profile.Operator) { o.Fusion = from.Fusion },
			func(o profile.Operator) string { return o.Fusion.String() },
			func(o profile.Operator) bool { return deltas(o) || and && !o.Geometric }),

		of(kind, "noise floor", []profile.Operator{{}, {Logic: logic.Options{NoFloor: floorOf[kind]}}},
			func(o *profile.Operator, from profile.Operator) { o.Logic.NoFloor = from.Logic.NoFloor },
			func(o profile.Operator) string {
				if o.Logic.NoFloor&floorOf[kind] != 0 {
					return "off"
				}
				return "on"
			}, deltas),
	}
	if and {
		out = append(out,
			of(kind, "c of AND", withAnd(0.5, 0.75, 1, 1.25),
				func(o *profile.Operator, from profile.Operator) { o.Logic.And = from.Logic.And },
				func(o profile.Operator) string { return number(o.Logic.And.Value()) }, deltas),
			of(kind, "scaling", []profile.Operator{{}, {Logic: logic.Options{Scaling: logic.ByTop}}},
				func(o *profile.Operator, from profile.Operator) { o.Logic.Scaling = from.Logic.Scaling },
				func(o profile.Operator) string { return o.Logic.Scaling.String() }, deltas))
	}
	if not {
		out = append(out,
			of(kind, "c of NOT", withNot(0.5, 1, 2),
				func(o *profile.Operator, from profile.Operator) { o.Logic.Not = from.Logic.Not },
				func(o profile.Operator) string { return number(o.Logic.Not.Value()) }, deltas),
			of(kind, "gate", []profile.Operator{
				{}, {Logic: logic.Options{Gate: logic.Gate{Power: 2}}}, {Logic: logic.Options{Gate: logic.Gate{Kind: logic.Ungated}}},
			}, func(o *profile.Operator, from profile.Operator) { o.Logic.Gate = from.Logic.Gate }, gateOf, deltas))
	}
	return out
}

// of is an element of the operator of a kind.
func of(kind profile.Kind, name string, values []profile.Operator,
	take func(o *profile.Operator, from profile.Operator), show func(profile.Operator) string, matters func(profile.Operator) bool,
) *element {
	e := &element{
		kind: kind, name: name,
		copy: func(p, from *profile.Profile) {
			o := p.Operators[kind]
			take(&o, from.Operators[kind])
			p.Operators[kind] = o
		},
		show:    func(p *profile.Profile) string { return show(p.Operators[kind]) },
		matters: func(p *profile.Profile) bool { return matters(p.Operators[kind]) },
	}
	for _, o := range values {
		e.values = append(e.values, &profile.Profile{Operators: map[profile.Kind]profile.Operator{kind: o}})
	}
	return e
}

// floorOf is the noise floor that a kind of formulas has.
var floorOf = map[profile.Kind]logic.Floors{
	profile.And: logic.AndFloor, profile.AndNot: logic.NotFloor, profile.AndAndNot: logic.AndFloor, profile.Or: logic.OrFloor,
}

// gateOf is a gate in words.
func gateOf(o profile.Operator) string {
	g := o.Logic.Gate
	text := g.Kind.String()
	if g.Kind == logic.ByBound {
		text += " " + number(g.Bound)
	}
	if g.Power != 0 && g.Power != 1 {
		text += ", power " + number(g.Power)
	}
	if g.Cap != 0 {
		text += ", cap " + number(g.Cap)
	}
	return text
}

func withAnd(values ...float64) (out []profile.Operator) {
	for _, c := range values {
		out = append(out, profile.Operator{Logic: logic.Options{And: coefficient(c)}})
	}
	return out
}

func withNot(values ...float64) (out []profile.Operator) {
	for _, c := range values {
		out = append(out, profile.Operator{Logic: logic.Options{Not: coefficient(c)}})
	}
	return out
}

// coefficient is c, and the zero value where that is 1.
func coefficient(c float64) logic.Coefficient {
	if c == 1 {
		return logic.Coefficient{}
	}
	return logic.C(c)
}
