// Package nl reads plain-language queries by rules:
//
//	photos of dogs without leashes      dogs AND NOT leashes
//	cats or kittens, excluding cartoons (cats OR kittens) AND NOT cartoons
//
// It says what it understood and never guesses silently: words that follow no
// rule stay together as one atom. It knows English phrases and the query
// language, nothing else.
package nl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// Reading is a plain-language query as a formula.
type Reading struct {
	// Node is the formula; one atom when no rule applied.
	Node query.Node
	// Notes say, phrase by phrase, what was understood and what was left out.
	Notes []string
	// Understood says that a rule applied; otherwise the text is one atom.
	Understood bool
	// Formula says that the text was a formula already.
	Formula bool
}

// Told is what people are told of plain language: the formula, then the notes. Of a
// formula there is nothing to tell.
func (r Reading) Told() []string {
	if r.Formula {
		return nil
	}
	return append([]string{r.Node.String()}, r.Notes...)
}

// Read turns plain language into a formula by rules. Whatever the text, there is one:
// where no rule applies it is one atom. A text with operators that is a formula stays it.
func Read(text string) Reading {
	if hasOperators(text) {
		if n, err := query.Parse(text); err == nil {
			return Reading{Node: n, Notes: []string{"read as a formula, since it has operators"}, Understood: true}
		}
	}
	r := reader{words: split(text)}
	if n := r.sentence(); n != nil && len(r.notes) > 0 {
		// Printing and parsing holds the formula to the limits of the language.
		if n, err := query.Parse(n.String()); err == nil {
			return Reading{Node: n, Notes: r.notes, Understood: r.logical}
		}
	}
	return Reading{Node: &query.Atom{Text: strings.Join(strings.Fields(text), " ")}, Notes: []string{"no and, or or not was recognised; the words stay together as one atom"}}
}

// hasOperators reports whether text uses the operators of the language.
func hasOperators(text string) bool {
	tokens := query.Tokens(text)
	for i, t := range tokens {
		switch t.Kind {
		case query.TokenAnd, query.TokenOr, query.TokenPlus, query.TokenWeight, query.TokenPredicate, query.TokenItem, query.TokenOf:
			return true
		case query.TokenNot: // a dash between words is none
			if t.End-t.Start > 1 || i+1 < len(tokens) && tokens[i+1].Kind != query.TokenBlank {
				return true
			}
		}
	}
	return false
}

type reader struct {
	words   []word
	notes   []string
	logical bool // a rule for and, or or not has applied
}

func (r *reader) notef(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// clause is a stretch of words and the cue before it.
type clause struct {
	cue   cue
	words []word
}

// sentence reads the whole text: a head, then what cues add and exclude. It is
// nil when nothing is left to look for.
func (r *reader) sentence() query.Node {
	words := r.dropLeading(r.words)
	var wanted, unwanted []query.Node
	for i, c := range clauses(words) {
		if i == 0 && c.cue.text == "" && isAnything(c.words) {
			r.notef("%q asks for everything", join(c.words))
			continue
		}
		n := r.list(c.words, c.cue.excludes)
		if n == nil {
			continue
		}
		switch {
		case c.cue.excludes:
			r.logical = true
			r.notef("%q excludes %s", c.cue.text, n)
			unwanted = append(unwanted, &query.Not{X: n})
		case c.cue.text != "":
			r.logical = true
			r.notef("%q demands %s as well", c.cue.text, n)
			wanted = append(wanted, n)
		default:
			wanted = append(wanted, n)
		}
	}
	return newAnd(append(wanted, unwanted...))
}

// newAnd joins parts; a conjunction among them gives its own.
func newAnd(parts []query.Node) query.Node {
	var flat []query.Node
	for _, p := range parts {
		if and, ok := p.(*query.And); ok {
			flat = append(flat, and.Parts...)
		} else {
			flat = append(flat, p)
		}
	}
	return query.AllOf(flat...)
}

// dropLeading takes off what asks rather than names: "show me", "photos of".
func (r *reader) dropLeading(words []word) []word {
	for _, fillers := range [][][]string{requests, containers} {
		for _, f := range fillers {
			if n := matchAt(words, 0, f); n > 0 && n < len(words) {
				r.notef("left out %q: it asks for results and names nothing in them", join(words[:n]))
				words = words[n:]
				break
			}
		}
	}
	return words
}

// clauses cuts words at the cues. The first clause has an empty cue unless the
// text begins with one; clauses without words are dropped.
func clauses(words []word) []clause {
	var out []clause
	var c cue
	from := 0
	add := func(to int) {
		if to > from {
			out = append(out, clause{c, words[from:to]})
		}
	}
	for i := 0; i < len(words); {
		found, n := cueAt(words, i)
		if n == 0 || i+n == len(words) { // a cue needs something after it
			i++
			continue
		}
		add(i)
		c, from = found, i+n
		i = from
	}
	add(len(words))
	return out
}

// list reads "a, b or c", "a and b", "either a or b", "both a and b". Under an
// exclusion both mean that any of them is unwanted.
func (r *reader) list(words []word, excluded bool) query.Node {
	for _, lead := range []string{"both", "either", "neither"} {
		if len(words) > 1 && words[0].is(lead) {
			words = words[1:]
			break
		}
	}
	items, joints := items(words)
	if len(items) > 1 {
		or, and := joints["or"]+joints["nor"], joints["and"]
		switch {
		case or > 0 && and > 0:
			r.notef("%q mixes and with or, which can be read two ways; it stays one atom, write parentheses to say which", join(words))
		case or+and == 0:
			r.notef("%q has commas but neither and nor or; it stays one atom", join(words))
		default:
			return r.joined(items, or > 0 || excluded, excluded)
		}
	}
	return newAtom(words)
}

// joined makes one node of the items of a list.
func (r *reader) joined(items [][]word, any, excluded bool) query.Node {
	var parts []query.Node
	var texts []string
	for _, item := range items {
		if n := newAtom(item); n != nil {
			parts = append(parts, n)
			texts = append(texts, n.String())
		}
	}
	if len(parts) < 2 {
		return newAnd(parts)
	}
	r.logical = true
	if !any {
		r.notef("all of: %s", strings.Join(texts, "; "))
		return newAnd(parts)
	}
	if !excluded {
		r.notef("any of: %s", strings.Join(texts, "; "))
	}
	return &query.Or{Parts: parts}
}

// newAtom is an atom of the words, without a leading article; nil when nothing
// is left.
func newAtom(words []word) query.Node {
	for len(words) > 1 && slices.ContainsFunc(articles, words[0].is) {
		words = words[1:]
	}
	text := strings.TrimSpace(join(words))
	if text == "" {
		return nil
	}
	return &query.Atom{Text: text}
}
