package peers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// sentenceForms maps templates of formulas to sentences with the atoms A, B and C. The queries of
// a template take turns.
var sentenceForms = map[string][]string{
	"A AND B":       {"{A} that are also {B}", "both {A} and {B}", "{A} as well as {B}"},
	"A AND B AND C": {"{A} that are also both {B} and {C}", "{A} as well as {B}, and also {C}"},
	"A AND NOT B": {
		"{A} but not {B}", "{A} without {B}", "I am looking for {A}, excluding {B}", "{A} that are not {B}", "Please show me {A}. No {B}.",
		"{A} other than {B}", "{A} (no {B})", "Can you find {A}, but leave out {B}?", "Apart from {B}, show me {A}",
	},
	"A AND B AND NOT C": {
		"{A} that are also {B} but not {C}", "both {A} and {B}, without {C}", "{A} as well as {B}, but no {C}",
		"I would like {A} that are also {B}, please avoid {C}",
	},
	"A OR B":      {"{A} or {B}", "either {A} or {B}", "Show me {A} or {B}, please"},
	"A OR B OR C": {"{A}, {B} or {C}", "{A} or {B} or {C}"},
}

// Sentences ranks the documents of a set for every query phrased as a sentence: by the
// sentence as one atom, by the formula that the rules parse from it, and by the intended
// formula. If a query has a text, that is its sentence.
func Sentences(ctx context.Context, set *sets.Set, corpus *lab.Corpus, p *profile.Profile) ([]lab.Outcome, error) {
	r := &run{set: set, corpus: corpus}
	if err := r.read(); err != nil {
		return nil, err
	}
	said := *set
	said.Queries = slices.Clone(set.Queries)
	turns := map[string]int{}
	for i := range said.Queries {
		q := &said.Queries[i]
		if q.Text != "" {
			continue
		}
		ways := sentenceForms[q.Template]
		if ways == nil {
			return nil, fmt.Errorf("query %s: no sentence for the template %q", q.ID, q.Template)
		}
		q.Text = fillIn(ways[turns[q.Template]%len(ways)], r.formulas[i])
		turns[q.Template]++
	}
	r.set = &said
	var out []lab.Outcome
	for _, way := range []struct {
		name string
		ask  asking // nil for the formula
	}{
		{"sentence", asSentence}, {"read", asRead}, {"formula", nil},
	} {
		o, err := r.rank(ctx, retrieve.Exact, lab.Stored, p, way.ask)
		if err != nil {
			return nil, err
		}
		o.Name, o.Leaks = way.name, r.leaks(&o)
		out = append(out, o)
	}
	return out, nil
}

// fillIn inserts the atoms of a formula into a sentence.
func fillIn(sentence string, f *query.Formula) string {
	name := byte('A')
	for a := range query.Atoms(f.Root) {
		sentence = strings.ReplaceAll(sentence, "{"+string(name)+"}", a.Text)
		name++
	}
	return sentence
}
