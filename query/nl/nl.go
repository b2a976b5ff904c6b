// Package nl reads plain language as formulas, by rules:
//
//	photos of dogs without leashes      dogs AND NOT leashes
//	red or blue cars, not electric      (red cars OR blue cars) AND NOT electric
//
// The rules are a small grammar of English requests. The lexicon holds word classes (lexicon.go)
// and the phrases that exclude, add, ask and contain (phrases.go). The parser (sentence.go)
// decides whether such a phrase is an exclusion in its sentence (cue.go), where its object ends
// (object.go), how certain it is (confidence.go), and what the items of a list share (list.go,
// share.go). Text that no rule matches becomes one atom. The package knows the query language
// and nothing about collections.
package nl

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// Reading is the result of reading plain language as a formula.
type Reading struct {
	// Node is the formula, one atom if no rule applied.
	Node query.Node
	// Notes explain, phrase by phrase, how the text was read.
	Notes []string
	// Understood reports whether a rule applied.
	Understood bool
	// Kind is the noun by which the text calls the results, such as photos in "photos of dogs";
	// empty for none.
	Kind string
	// Formula reports whether the text was already a formula.
	Formula bool

	sure bool // the text is a request, not a title, a name or a list of words
}

// Told returns the formula followed by the notes, or nil if the text was already a formula.
func (r Reading) Told() []string {
	if r.Formula {
		return nil
	}
	return append([]string{r.Node.String()}, r.Notes...)
}

// maxWords is the length of the longest text that the rules read.
const maxWords = 300

// Read turns plain language into a formula by rules. Every text has a reading: if no rule
// applies it is one atom, and a text that is a valid formula with operators is that formula.
func Read(text string) Reading {
	if hasOperators(text) {
		if n, err := query.Parse(text); err == nil {
			return Reading{Node: n, Notes: []string{"it has operators and is read as a formula"}, Understood: true}
		}
	}
	p, words := parser{}, split(text)
	if len(words) > maxWords {
		p.doubts = []string{fmt.Sprintf("it is longer than %d words", maxWords)}
	} else if n := p.read(words); n != nil && p.understood {
		// Printing and parsing enforces the limits of the language.
		if n, err := query.Parse(n.String()); err == nil {
			return Reading{Node: n, Notes: p.notes, Understood: true, Kind: p.kind, sure: p.sure}
		}
	}
	return Reading{
		Node:  &query.Atom{Text: strings.Join(strings.Fields(text), " ")},
		Notes: []string{strings.Join(append(p.doubts, "no rule applies: the words stay together as one atom"), "; ")},
	}
}

// hasOperators reports whether text uses operators of the query language.
func hasOperators(text string) bool {
	tokens := query.Tokens(text)
	for i, t := range tokens {
		switch t.Kind {
		case query.TokenAnd, query.TokenOr, query.TokenOf, query.TokenPlus, query.TokenWeight, query.TokenNear, query.TokenField, query.TokenTruncated:
			return true
		case query.TokenNot: // a dash between words is not an operator
			if t.End-t.Start > 1 || i+1 < len(tokens) && tokens[i+1].Kind != query.TokenBlank {
				return true
			}
		}
	}
	return false
}
