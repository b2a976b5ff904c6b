package server

import (
	"context"
	"errors"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// PlanRequest is a request for the strings that a search would encode.
type PlanRequest struct {
	Question
	Filter Filter       `json:"filter,omitempty"`
	NL     nl.Way       `json:"nl,omitzero"`
	Fusion fusion.Style `json:"fusion,omitempty"`
}

// Plan is the interpretation of a query.
type Plan struct {
	Query      string   `json:"query"`
	Understood []string `json:"understood,omitempty" doc:"if parsed as plain language: the formula, then notes"`
	fusion.Meaning
	Fusion string `json:"fusion"`
	Terms  []Term `json:"terms" nullable:"false" doc:"terms that documents are compared with"`
}

// Term is a term that documents are compared with.
type Term struct {
	Formula string `json:"formula"`
	String  string `json:"string" doc:"the encoded string; empty if the term is a sum of vectors"`
}

func (s *Server) plan(x *exchange, in *PlanRequest) (*Plan, error) {
	q, err := in.read(x.Context(), in.Filter, retrieve.Options{PlainLanguage: in.NL, Chat: s.config.Chat})
	if err != nil {
		return nil, err
	}
	f := q.Formula
	p := fusion.New(f, in.Fusion)
	out := &Plan{Query: q.Text, Understood: q.Understood, Fusion: in.Fusion.String(), Meaning: p.Meaning(f), Terms: []Term{}}
	for i := range p.Terms {
		out.Terms = append(out.Terms, Term{f.Terms.At(i).String(), p.StringOf(i)})
	}
	return out, nil
}

// ParseRequest is a query in an editor.
type ParseRequest struct {
	Query  string       `json:"query,omitempty" example:"dog AND NOT leash"`
	NL     nl.Way       `json:"nl,omitzero"`
	Fusion fusion.Style `json:"fusion,omitempty"`
}

// Parsed is the parse result for an editor.
type Parsed struct {
	Query   string      `json:"query"`
	OK      bool        `json:"ok" doc:"the query is valid"`
	Tokens  []Token     `json:"tokens" nullable:"false" doc:"empty for plain language"`
	Error   *ParseError `json:"error,omitempty"`
	Reading *Reading    `json:"reading,omitempty"`
	Parts   []Part      `json:"parts,omitempty" doc:"the parts of a formula that is one conjunction"`
	fusion.Meaning
}

// ParseError is the position and cause of a syntax error.
type ParseError struct {
	Offset  int    `json:"offset" doc:"in bytes"`
	Length  int    `json:"length" doc:"in bytes; 0 at the end of the query"`
	Message string `json:"message"`
	Caret   string `json:"caret"`
}

// Reading is a plain-language query translated to a formula.
type Reading struct {
	Formula string   `json:"formula"`
	Notes   []string `json:"notes" nullable:"false"`
	Changed bool     `json:"changed" doc:"a rule applied; otherwise the text is one atom"`
}

func (s *Server) parse(x *exchange, in *ParseRequest) (*Parsed, error) {
	out := &Parsed{Query: in.Query, Tokens: []Token{}, Meaning: fusion.Meaning{Strings: []string{}}}
	if len(in.Query) > query.MaxBytes {
		out.Error = &ParseError{Offset: query.MaxBytes, Length: len(in.Query) - query.MaxBytes, Message: "the query is too long"}
		return out, nil
	}
	f, err := out.read(x.Context(), retrieve.Options{PlainLanguage: in.NL, Chat: s.config.Chat})
	var syntax *query.SyntaxError
	var mixed *query.MixedError
	switch {
	case err == nil:
		out.OK, out.Meaning = true, fusion.New(f, in.Fusion).Meaning(f)
	case errors.As(err, &syntax):
		p := syntaxProblem(syntax)
		out.Error = &ParseError{p.Syntax.Offset, p.Syntax.Length, p.Detail, p.Syntax.Caret}
	case errors.As(err, &mixed):
		span := mixed.Predicate.Span()
		out.Error = &ParseError{Offset: span.Start, Length: span.End - span.Start, Message: err.Error()}
	default:
		return nil, err
	}
	return out, nil
}

// read sets the tokens or the reading and returns the formula.
func (p *Parsed) read(ctx context.Context, o retrieve.Options) (*query.Formula, error) {
	r, err := retrieve.Interpret(ctx, p.Query, o)
	if r.Formula {
		p.Tokens = tokensOf(p.Query)
	}
	if err != nil {
		return nil, err
	}
	p.Parts = outlineOf(r.Node)
	if !r.Formula {
		p.Reading = &Reading{r.Node.String(), append([]string{}, r.Notes...), r.Understood}
	}
	return query.Normalize(r.Node)
}

// Part is a part of a formula as an editor shows it: an atom, a predicate or a group of them.
type Part struct {
	Kind    string  `json:"kind" enum:"atom,like,example,image,predicate,group"`
	Text    string  `json:"text,omitempty" doc:"as written in a formula, without its weight"`
	Name    string  `json:"name,omitempty" doc:"the words of an atom, or the id, text or path that it refers to"`
	Negated bool    `json:"negated,omitempty"`
	Weight  float64 `json:"weight,omitempty" doc:"of an atom; omitted if it is 1"`
	Least   int     `json:"least,omitempty" doc:"of a group: the minimum number of matching parts; omitted if it is 1"`
	Parts   []Part  `json:"parts,omitempty" doc:"of a group"`
}

var partKinds = map[query.Kind]string{query.Text: "atom", query.Like: "like", query.Example: "example", query.Image: "image"}

// outlineOf returns the parts of a formula that is one conjunction. It returns nil for more
// complex formulas: a group holds atoms and predicates but no other group.
func outlineOf(n query.Node) []Part {
	and, ok := n.(*query.And)
	if !ok {
		if p := partOf(n, true); p != nil {
			return []Part{*p}
		}
		return nil
	}
	var all []Part
	for _, part := range and.Parts {
		inside := outlineOf(part)
		if inside == nil {
			return nil
		}
		all = append(all, inside...)
	}
	return all
}

// partOf returns an atom, a predicate or, if groups is set, a group, negated at most once. It
// returns nil for anything else.
func partOf(n query.Node, groups bool) *Part {
	not, negated := n.(*query.Not)
	if negated {
		n = not.X
	}
	switch n := n.(type) {
	case *query.Atom:
		bare := *n
		bare.Weight = 0
		p := &Part{Kind: partKinds[n.Kind], Text: bare.String(), Name: n.Text, Negated: negated}
		if w := n.Importance(); w != 1 {
			p.Weight = w
		}
		return p
	case *query.Predicate:
		return &Part{Kind: "predicate", Text: n.String(), Negated: negated}
	case *query.Or:
		if groups {
			return groupOf(n.Parts, 0, negated)
		}
	case *query.AtLeast:
		if groups {
			return groupOf(n.Parts, n.K, negated)
		}
	}
	return nil
}

func groupOf(parts []query.Node, least int, negated bool) *Part {
	group := &Part{Kind: "group", Least: least, Negated: negated}
	for _, x := range parts {
		p := partOf(x, false)
		if p == nil {
			return nil
		}
		group.Parts = append(group.Parts, *p)
	}
	return group
}

// Token is a token of a query, for syntax highlighting.
type Token struct {
	Start int    `json:"start" doc:"in bytes"`
	End   int    `json:"end"`
	Kind  string `json:"kind" enum:"atom,quoted,operator,not,paren,predicate,item,weight,error"`
}

// tokensOf returns the tokens of a query without whitespace.
func tokensOf(text string) []Token {
	out := []Token{}
	for _, t := range query.Tokens(text) {
		if t.Kind != query.TokenBlank {
			out = append(out, Token{t.Start, t.End, t.Kind.String()})
		}
	}
	return out
}
