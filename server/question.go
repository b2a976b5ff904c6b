package server

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Question is a formula in one of three forms: text, lists of a Boolean query, or positive and
// negative examples.
type Question struct {
	Query string `json:"query,omitempty" example:"dog AND NOT leash" doc:"a formula such as dog AND NOT leash, or plain language (see nl)"`
	Boolean
	Positive []Clause `json:"positive,omitempty" doc:"strings, {id} and {example}; all are wanted"`
	Negative []Clause `json:"negative,omitempty" doc:"strings, {id} and {example}; none is wanted"`
}

// Boolean is a formula as lists.
type Boolean struct {
	Must    []Clause `json:"must,omitempty" doc:"all must match"`
	Should  []Clause `json:"should,omitempty" doc:"at least one must match, even if must is set"`
	MustNot []Clause `json:"must_not,omitempty" doc:"none may match"`
	// MinimumShouldMatch is the k of k OF.
	MinimumShouldMatch *int `json:"minimum_should_match,omitempty" doc:"how many of should must match; 1 by default" minimum:"1"`
}

// Clause is a part of a structured query: a string, which is one atom, or an object.
type Clause struct{ ClauseObject }

// ClauseObject is an atom with a weight, an atom that stands for a document or a text, or
// nested lists.
type ClauseObject struct {
	Text   string   `json:"text,omitempty" doc:"one atom, never parsed"`
	Weight *float64 `json:"weight,omitempty" exclusiveMinimum:"0" maximum:"100" doc:"of the text, the id or the example; 1 by default"`
	ID     string   `json:"id,omitempty" doc:"a document of the collection"`
	// Example is a text that is not stored.
	Example string `json:"example,omitempty" doc:"a text to compare with, encoded like a document"`
	Boolean
}

// maxClause limits the JSON of a clause: query.MaxBytes with every character escaped, plus the
// syntax around the atoms. Each nesting level decodes its content again.
const maxClause = 64 << 10

// UnmarshalJSON accepts a string or an object.
func (c *Clause) UnmarshalJSON(content []byte) error {
	if content = bytes.TrimSpace(content); content[0] == '"' {
		return json.Unmarshal(content, &c.Text)
	}
	if len(content) > maxClause {
		return invalid("a part of the question has %d bytes; the maximum is %d", len(content), maxClause)
	}
	return decodeJSON(content, &c.ClauseObject)
}

// Schema returns the schema of a string or an object.
func (Clause) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, r.Schema(reflect.TypeFor[ClauseObject](), true, "")}}
}

// read returns the question as a formula, restricted by a filter.
func (q *Question) read(ctx context.Context, f Filter, o retrieve.Options) (*retrieve.Question, error) {
	n, reading, err := q.node(ctx, o)
	if err != nil {
		return nil, err
	}
	for a := range query.Atoms(n) {
		if a.Kind == query.Image {
			return nil, invalid("%s would read a file of the server; pictures are supported on the command line only", a)
		}
	}
	narrow, err := f.nodes()
	if err != nil {
		return nil, err
	}
	formula, err := query.Normalize(query.AllOf(append([]query.Node{n}, narrow...)...))
	understood := reading.Told()
	if q.Query != "" && understood == nil {
		err = query.Placed(err, q.Query)
	}
	if err != nil {
		return nil, err
	}
	out := retrieve.Ask(formula)
	out.Understood, out.Kind = understood, reading.Kind
	if q.Query != "" {
		out.Text = q.Query
		if !reading.Formula {
			out.Sentence = q.Query
		}
	}
	return out, nil
}

// node returns the formula, with the reading of plain language.
func (q *Question) node(ctx context.Context, o retrieve.Options) (query.Node, nl.Reading, error) {
	formula := nl.Reading{Formula: true}
	lists := !q.empty()
	examples := len(q.Positive)+len(q.Negative) > 0
	switch {
	case q.Query == "" && !lists && !examples:
		return nil, formula, invalid("the question is empty: set query, or must, should and must_not, or positive and negative")
	case q.Query != "" && (lists || examples) || lists && examples:
		return nil, formula, invalid("the question has several forms; use only one of query, must with should and must_not, and positive with negative")
	case q.Query != "":
		r, err := retrieve.Interpret(ctx, q.Query, o)
		if err != nil {
			return nil, formula, err
		}
		return r.Node, r, nil
	case o.PlainLanguage == nl.Rules || o.PlainLanguage == nl.LLM:
		return nil, formula, invalid("nl applies to query only, not to lists")
	}
	asked := q.Boolean
	if examples {
		asked = Boolean{Must: q.Positive, MustNot: q.Negative}
		for _, c := range slices.Concat(q.Positive, q.Negative) {
			if !c.empty() {
				return nil, formula, invalid("positive and negative are lists of strings, of {\"id\": …} and of {\"example\": …}; nest must, should and must_not instead")
			}
		}
	}
	n, err := (&builder{}).boolean(asked, 0)
	return n, formula, err
}

func (b *Boolean) empty() bool {
	return len(b.Must)+len(b.Should)+len(b.MustNot) == 0 && b.MinimumShouldMatch == nil
}

// builder builds a formula from lists, within the limits for query text.
type builder struct{ leaves, bytes int }

func (b *builder) boolean(lists Boolean, depth int) (query.Node, error) {
	if depth++; depth > query.MaxDepth {
		return nil, invalid("the lists are nested more than %d deep", query.MaxDepth)
	}
	var nodes [3][]query.Node
	for i, list := range [...][]Clause{lists.Must, lists.Should, lists.MustNot} {
		for j := range list {
			n, err := b.clause(&list[j], depth)
			if err != nil {
				return nil, err
			}
			nodes[i] = append(nodes[i], n)
		}
	}
	all := nodes[0]
	should, least := nodes[1], 1
	if lists.MinimumShouldMatch != nil {
		least = *lists.MinimumShouldMatch
	}
	switch {
	case lists.MinimumShouldMatch != nil && (least < 1 || least > len(should)):
		return nil, invalid("minimum_should_match is %d; it must be between 1 and the number of parts of should, %d", least, len(should))
	case least > 1:
		all = append(all, &query.AtLeast{K: least, Parts: should})
	case len(should) > 0:
		all = append(all, query.AnyOf(should...))
	}
	for _, n := range nodes[2] {
		all = append(all, &query.Not{X: n})
	}
	return query.AllOf(all...), nil
}

func (b *builder) clause(c *Clause, depth int) (query.Node, error) {
	lists, atoms := !c.empty(), 0
	for _, given := range []string{c.Text, c.ID, c.Example} {
		if given != "" {
			atoms++
		}
	}
	switch {
	case lists && atoms == 0 && c.Weight == nil:
		return b.boolean(c.Boolean, depth)
	case lists || atoms > 1:
		return nil, invalid("a part of the question must have only one of text, id, example and lists")
	case c.Weight != nil && (*c.Weight <= 0 || *c.Weight > query.MaxWeight):
		return nil, invalid("a weight is %v; it must be above 0 and at most %d", *c.Weight, query.MaxWeight)
	}
	a := &query.Atom{Text: strings.TrimSpace(c.Text)}
	if c.Weight != nil {
		a.Weight = *c.Weight
	}
	switch {
	case c.ID != "":
		a.Kind, a.Text = query.Like, c.ID
	case c.Example != "":
		a.Kind, a.Text = query.Example, c.Example
	}
	if strings.TrimSpace(a.Text) == "" {
		return nil, invalid("a part of the question is empty; set a text, an id, an example or lists")
	}
	b.bytes += len(a.Text)
	if b.leaves++; b.leaves > query.MaxLeaves || b.bytes > query.MaxBytes {
		return nil, invalid("the question has more than %d atoms, or more than %d bytes of text", query.MaxLeaves, query.MaxBytes)
	}
	return a, nil
}
