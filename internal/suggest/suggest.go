// Package suggest gives example queries: for the demo a written list, for other collections
// some of their titles, which have results and read as a person would write them.
package suggest

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

// Example is a query and the feature of the language that it shows.
type Example struct {
	Query string `json:"query"`
	Shows Shows  `json:"shows" enum:"not,and,or,sentence,condition,word"`
}

// Shows is the feature of the language that an example shows.
type Shows string

// Features.
const (
	Not       Shows = "not"       // one thing without another
	And       Shows = "and"       // two things
	Or        Shows = "or"        // one of two things, and a third
	Sentence  Shows = "sentence"  // plain language
	Condition Shows = "condition" // a thing and a metadata field
	Word      Shows = "word"      // a single thing
)

// Demo returns examples for the demo collection.
func Demo() []Example {
	return []Example{
		{"dog AND NOT ball", Not},
		{"(bicycle OR horse) AND street", Or},
		{"a cat without people", Sentence},
		{"boat AND fishing", And},
		{"cheese kind:recipe", Condition},
	}
}

const (
	sampled = 200 // documents to sample
	most    = 3   // examples
)

// Of samples a store and returns titles as examples, from all over the sample. There are none
// if no title reads like a query. Formulas of words that occur together in titles were tried:
// on manuals they gave "tree AND NOT working".
func Of(ctx context.Context, store engine.Store) ([]Example, error) {
	refs, err := store.Sample(ctx, sampled)
	if err != nil {
		return nil, err
	}
	var all, out []Example
	err = engine.Visit(ctx, store, refs, engine.Titles, func(_ int, d *engine.Document) {
		e := Example{phrase(d.Title), Word}
		if e.Query != "" && !slices.Contains(all, e) {
			all = append(all, e)
		}
	})
	for i := range min(most, len(all)) {
		out = append(out, all[i*len(all)/min(most, len(all))])
	}
	return out, err
}

// phrase returns the part of a title that can be searched for as it is: of "ls - list
// directory contents" the end. It returns "" if the title is a single word, long, has signs
// or digits as names of files do, or would be read as a formula.
func phrase(title string) string {
	if _, after, ok := strings.Cut(title, " - "); ok {
		title = after
	}
	words := strings.Fields(title)
	title = strings.Join(words, " ")
	odd := func(r rune) bool { return r == utf8.RuneError || !unicode.IsLetter(r) && r != ' ' && r != '-' }
	if len(words) < 2 || len(words) > 6 || len(title) > 60 || strings.HasPrefix(title, "-") || strings.ContainsFunc(title, odd) {
		return ""
	}
	f, err := query.ParseFormula(title)
	if err != nil {
		return ""
	}
	_, one := f.Root.(*query.Atom)
	_, plain := nl.Read(title).Node.(*query.Atom)
	if !one || !plain {
		return ""
	}
	return title
}
