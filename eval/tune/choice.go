package tune

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/profile"
)

// choice holds the settings of a profile that are learned.
type choice struct {
	hubness, words float64
	feedback       profile.Feedback
}

// choiceOf returns the choice of a profile, normalized so that equal choices compare equal.
func choiceOf(p *profile.Profile) choice {
	c := choice{p.Hubness, p.Words, p.Feedback}
	if c.feedback.Documents == 0 || c.feedback.Weight == 0 {
		c.feedback = profile.Feedback{}
	}
	return c
}

// element is one setting of a choice.
type element struct {
	name   string
	values []choice // the values to try, as choices of which only this element matters
	copy   func(to *choice, from choice)
	show   func(choice) string
}

// elements are the settings of a choice.
var elements = []element{
	{
		"hubness", []choice{{hubness: 0}, {hubness: 0.3}, {hubness: 0.5}},
		func(to *choice, from choice) { to.hubness = from.hubness },
		func(c choice) string { return number(c.hubness) },
	},
	{
		"words", []choice{{words: 0}, {words: 0.4}, {words: 0.8}, {words: 1.2}},
		func(to *choice, from choice) { to.words = from.words },
		func(c choice) string { return number(c.words) },
	},
	{
		"feedback", feedbacks(),
		func(to *choice, from choice) { to.feedback = from.feedback },
		func(c choice) string {
			f := c.feedback
			if f.Documents == 0 {
				return "none"
			}
			return fmt.Sprintf("%d × %s, words %s", f.Documents, number(f.Weight), number(f.Words))
		},
	},
}

func feedbacks() []choice {
	out := []choice{{}}
	for _, f := range []profile.Feedback{{Documents: 10, Weight: 0.25}, {Documents: 50, Weight: 0.4}, {Documents: 100, Weight: 0.5}} {
		for _, words := range []float64{0, 0.5, 1} {
			f.Words = words
			out = append(out, choice{feedback: f})
		}
	}
	return out
}

// with returns the choice with an element of another one.
func (c choice) with(e element, from choice) choice {
	e.copy(&c, from)
	return c
}

// change is a choice that differs from another one in an element.
type change struct {
	element
	to choice
}

// changes returns the choices that differ in one element.
func (c choice) changes() (out []change) {
	for _, e := range elements {
		for _, v := range e.values {
			if e.show(v) != e.show(c) {
				out = append(out, change{e, c.with(e, v)})
			}
		}
	}
	return out
}

// String lists what a choice changes in the paper's configuration.
func (c choice) String() string {
	var parts []string
	for _, e := range elements {
		if text := e.show(c); text != e.show(choice{}) {
			parts = append(parts, e.name+" "+text)
		}
	}
	if parts == nil {
		return "vectors as the encoder gives them"
	}
	return strings.Join(parts, ", ")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
