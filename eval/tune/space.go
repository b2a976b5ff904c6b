package tune

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

// element is one setting of a profile.
type element struct {
	kind profile.Kind // kind of formulas; empty for all
	name string
	// values are the values to try, as profiles of which only this element matters.
	values []*profile.Profile
	// copy copies the element from another profile without sharing memory.
	copy func(p, from *profile.Profile)
	show func(p *profile.Profile) string
}

// change is an element with another value.
type change struct {
	element *element
	to      *profile.Profile
}

// on returns a copy of a profile with the change applied.
func (c change) on(p *profile.Profile) *profile.Profile {
	out := bare(p)
	c.element.copy(out, c.to)
	return out
}

// back returns the change that reverts the element to its value in a profile.
func (c change) back(to *profile.Profile) change { return change{c.element, to} }

// bare returns a normalized copy of a profile's choices, in which equal choices compare equal.
func bare(p *profile.Profile) *profile.Profile {
	out := &profile.Profile{Name: p.Name, Encoder: p.Encoder, Operators: map[profile.Kind]profile.Operator{}}
	out.Hubness, out.Words, out.Feedback = p.Hubness, p.Words, trialOf(p, "").feedback
	for k, o := range p.Operators {
		o.Logic.And, o.Logic.Not = coefficient(o.Logic.And.Value()), coefficient(o.Logic.Not.Value())
		out.Operators[k] = o
	}
	return out
}

// same reports whether two profiles make the same choices.
func same(p, q *profile.Profile) bool {
	return !slices.ContainsFunc(profile.Kinds(), func(k profile.Kind) bool { return trialOf(p, k) != trialOf(q, k) })
}

// changes returns all values of elements that differ from a profile's.
func changes(elements []*element, p *profile.Profile) []change {
	var out []change
	for _, e := range elements {
		for _, v := range e.values {
			if e.show(v) != e.show(p) {
				out = append(out, change{e, v})
			}
		}
	}
	return out
}

// tuned lists the kinds of formulas for which operators are learned.
var tuned = []profile.Kind{profile.And, profile.AndNot, profile.AndAndNot, profile.Or}

// elements returns all elements that can be learned.
func elements() []*element {
	out := refinements()
	for _, k := range tuned {
		out = append(out, operators(k)...)
	}
	return out
}

// refinements returns the elements common to all formulas.
func refinements() []*element {
	feedback := []profile.Feedback{{}}
	for _, f := range []profile.Feedback{{Documents: 10, Weight: 0.25}, {Documents: 50, Weight: 0.4}, {Documents: 100, Weight: 0.5}} {
		for _, words := range []float64{0, 0.5, 1} {
			f.Words = words
			feedback = append(feedback, f)
		}
	}
	return []*element{
		newElement("", "hubness", func(t *trial) *float64 { return &t.hubness }, number, 0, 0.3, 0.5),
		newElement("", "words", func(t *trial) *float64 { return &t.words }, number, 0, 0.4, 0.8, 1.2),
		newElement("", "feedback", func(t *trial) *profile.Feedback { return &t.feedback }, func(f profile.Feedback) string {
			if f.Documents == 0 {
				return "none"
			}
			return fmt.Sprintf("%d × %s, words %s", f.Documents, number(f.Weight), number(f.Words))
		}, feedback...),
	}
}

// operators returns the elements for one kind of formula.
func operators(kind profile.Kind) []*element {
	and := kind == profile.And || kind == profile.AndAndNot    // several positive parts
	not := kind == profile.AndNot || kind == profile.AndAndNot // has a negated part
	value := func(c logic.Coefficient) string { return number(c.Value()) }
	out := []*element{
		newElement(kind, "fusion", func(t *trial) *fusion.Style { return &t.operator.Fusion }, fusion.Style.String, styles...),
		newElement(kind, "noise floor", func(t *trial) *logic.Floors { return &t.operator.Logic.NoFloor }, func(off logic.Floors) string {
			if off&floorOf[kind] != 0 {
				return "off"
			}
			return "on"
		}, 0, floorOf[kind]),
	}
	if and {
		out = append(out, newElement(kind, "c of AND", func(t *trial) *logic.Coefficient { return &t.operator.Logic.And }, value, coefficients(0.5, 0.75, 1, 1.25)...))
	}
	if not {
		out = append(out,
			newElement(kind, "c of NOT", func(t *trial) *logic.Coefficient { return &t.operator.Logic.Not }, value, coefficients(0.5, 1, 2)...),
			newElement(kind, "gate", func(t *trial) *logic.Gate { return &t.operator.Logic.Gate }, logic.Gate.String, logic.Gate{}, logic.Gate{Kind: logic.Ungated}))
	}
	return out
}

// styles lists the fusion styles to try.
var styles = []fusion.Style{fusion.Simple, fusion.Contextual}

// newElement returns an element that is a field of the trial for a kind of formula.
func newElement[T any](kind profile.Kind, name string, field func(*trial) *T, show func(T) string, values ...T) *element {
	get := func(p *profile.Profile) T {
		t := trialOf(p, kind)
		return *field(&t)
	}
	set := func(p *profile.Profile, v T) {
		t := trialOf(p, kind)
		*field(&t) = v
		p.Hubness, p.Words, p.Feedback = t.hubness, t.words, t.feedback
		if kind != "" {
			p.Operators[kind] = t.operator
		}
	}
	e := &element{
		kind: kind, name: name,
		copy: func(p, from *profile.Profile) { set(p, get(from)) },
		show: func(p *profile.Profile) string { return show(get(p)) },
	}
	for _, v := range values {
		p := &profile.Profile{Operators: map[profile.Kind]profile.Operator{}}
		set(p, v)
		e.values = append(e.values, p)
	}
	return e
}

// floorOf maps kinds of formulas to their noise floors.
var floorOf = map[profile.Kind]logic.Floors{
	profile.And: logic.AndFloor, profile.AndNot: logic.NotFloor, profile.AndAndNot: logic.AndFloor, profile.Or: logic.OrFloor,
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

func coefficients(values ...float64) (out []logic.Coefficient) {
	for _, c := range values {
		out = append(out, coefficient(c))
	}
	return out
}

// coefficient returns c, as the zero value if it is 1.
func coefficient(c float64) logic.Coefficient {
	if c == 1 {
		return logic.Coefficient{}
	}
	return logic.C(c)
}
