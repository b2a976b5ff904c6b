package server

import (
	"fmt"

	"github.com/nsfl-go/nsfl/logic"
)

// Tree is an explanation in the form that search engines use: a value, a description and
// details.
type Tree struct {
	Value       float64 `json:"value"`
	Description string  `json:"description"`
	Details     []*Tree `json:"details,omitempty"`
}

// treeOf converts an explanation to a tree. A nested formula takes the place of the similarity
// that refers to it.
func treeOf(e *logic.Explanation) *Tree {
	t := &Tree{Value: e.Score, Description: fmt.Sprintf("score of %s: %s", e.Formula, e.Sentence)}
	parts := map[string]*logic.Explanation{}
	for _, p := range e.Parts {
		parts[p.Formula] = p
	}
	add := func(value float64, format string, args ...any) {
		t.Details = append(t.Details, &Tree{Value: value, Description: fmt.Sprintf(format, args...)})
	}
	for _, s := range e.Similarities {
		switch p := parts[s.Formula]; {
		case s.Scored && p != nil:
			t.Details = append(t.Details, treeOf(p))
			delete(parts, s.Formula)
		case s.Scored:
			add(s.Value, "score of %s, explained elsewhere", s.Formula)
		default:
			add(s.Value, "similarity to %s", s.Formula)
		}
	}
	for _, d := range e.Deltas {
		use := ""
		if !d.Used {
			use = ", for information"
		}
		add(d.Value, "delta of %s given %s: similarity to %s less that to %s%s", d.Of, d.Given, d.Fused, d.Given, use)
	}
	for _, g := range e.Gates {
		how := "none"
		if g.Maximum != 0 {
			how = fmt.Sprintf("%.3f of at most %.3f", g.Similarity, g.Maximum)
		}
		if g.Capped {
			how += "; capped"
		}
		if g.Floor != logic.NoFloor {
			how += fmt.Sprintf("; the %s floor set it", g.Floor)
		}
		t.Details = append(t.Details, &Tree{
			Value: -g.Penalty, Description: fmt.Sprintf("what NOT %s changes", g.Of),
			Details: []*Tree{{Value: g.Value, Description: fmt.Sprintf("gate of %s: %s", g.Of, how)}},
		})
	}
	if e.Tilt != 0 {
		add(e.Tilt, "what unequal weights add")
	}
	if e.Floor != logic.NoFloor {
		add(byVectors(e), "the %s floor set the score", e.Floor)
	}
	for _, p := range e.Parts {
		if parts[p.Formula] == p {
			t.Details = append(t.Details, treeOf(p))
		}
	}
	if w := e.Words; w != nil {
		add(w.Vectors, "score of vectors, as the details before it make it")
		words := &Tree{Value: w.Weight * w.Said, Description: fmt.Sprintf("what words add: %.3f times what they say of the formula, %.3f", w.Weight, w.Said)}
		for _, a := range w.Atoms {
			words.Details = append(words.Details, &Tree{Value: a.Value, Description: fmt.Sprintf("share of the words of %s", a.Formula)})
		}
		t.Details = append(t.Details, words)
	}
	return t
}

// byVectors returns the score of the calculus without the lexical part.
func byVectors(e *logic.Explanation) float64 {
	if e.Words != nil {
		return e.Words.Vectors
	}
	return e.Score
}
