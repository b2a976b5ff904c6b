// Package nl reads plain language as formulas, by rules:
//
//	photos of dogs without leashes      dogs AND NOT leashes
//	red or blue cars, not electric      (red cars OR blue cars) AND NOT electric
//
// The rules are a small grammar of English requests: a few closed classes of words
// (lexicon.go), the phrases that exclude, add, ask and contain (phrases.go), and a parser of
// sentences (sentence.go): where a phrase is one (cue.go), how far what it excludes reaches
// (object.go), and what the items of a list share (list.go, share.go). What they do not understand stays one
// atom, and that is said. It knows the query language and nothing of what is searched.
package nl

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// Reading is plain language as a formula.
type Reading struct {
	// Node is the formula; one atom where no rule applied.
	Node query.Node
	// Notes say, phrase by phrase, what was understood and what was left out.
	Notes []string
	// Understood says that a rule applied; otherwise the text is one atom.
	Understood bool
	// Formula says that the text was a formula already.
	Formula bool

	sure bool // it is hardly anything but a request: not a title, a name, a list of words
}

// Told is what people are told of plain language: the formula, then the notes. Of a
// formula there is nothing to tell.
func (r Reading) Told() []string {
	if r.Formula {
		return nil
	}
	return append([]string{r.Node.String()}, r.Notes...)
}

// maxWords is how long a text may be that rules read. People ask in fewer words.
const maxWords = 300

// Read turns plain language into a formula by rules. Whatever the text, there is one:
// where no rule applies it is one atom. A text with operators that is a formula stays it.
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
		// Printing and parsing holds the formula to the limits of the language.
		if n, err := query.Parse(n.String()); err == nil {
			return Reading{Node: n, Notes: p.notes, Understood: true, sure: p.sure}
		}
	}
	return Reading{
		Node:  &query.Atom{Text: strings.Join(strings.Fields(text), " ")},
		Notes: []string{strings.Join(append(p.doubts, "no rule applies: the words stay together as one atom"), "; ")},
	}
}

// hasOperators reports whether text uses the operators of the language.
func hasOperators(text string) bool {
	tokens := query.Tokens(text)
	for i, t := range tokens {
		switch t.Kind {
		case query.TokenAnd, query.TokenOr, query.TokenOf, query.TokenPlus, query.TokenWeight:
			return true
		case query.TokenNot: // a dash between words is none
			if t.End-t.Start > 1 || i+1 < len(tokens) && tokens[i+1].Kind != query.TokenBlank {
				return true
			}
		}
	}
	return false
}
