package tune

import (
	"fmt"
	"slices"

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

// changes returns the choices to try that differ in one setting.
func (c choice) changes() (out []choice) {
	for _, x := range []float64{0, 0.3, 0.5} {
		out = append(out, choice{x, c.words, c.feedback})
	}
	for _, x := range []float64{0, 0.4, 0.8, 1.2} {
		out = append(out, choice{c.hubness, x, c.feedback})
	}
	out = append(out, choice{c.hubness, c.words, profile.Feedback{}})
	for _, f := range []profile.Feedback{{Documents: 10, Weight: 0.25}, {Documents: 50, Weight: 0.4}, {Documents: 100, Weight: 0.5}} {
		for _, words := range []float64{0, 0.5, 1} {
			f.Words = words
			out = append(out, choice{c.hubness, c.words, f})
		}
	}
	return slices.DeleteFunc(out, func(x choice) bool { return x == c })
}

func (c choice) String() string {
	text := fmt.Sprintf("hubness %.3g, words %.3g, ", c.hubness, c.words)
	if c.feedback.Documents == 0 {
		return text + "no feedback"
	}
	return text + fmt.Sprintf("feedback %d × %.3g, words %.3g", c.feedback.Documents, c.feedback.Weight, c.feedback.Words)
}
