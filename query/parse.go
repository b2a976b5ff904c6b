package query

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of a query. They are far above what people type, and low enough that no query
// can exhaust the machine.
const (
	MaxBytes  = 8192 // length of the text
	MaxDepth  = 64   // nesting of parentheses and NOT
	MaxLeaves = 64   // atoms and predicates together
	MaxWords  = 1024 // words and phrases in patterns
)

// Parse parses a query. It returns a *SyntaxError for an invalid one.
//
//	query   = and { "OR" and }
//	and     = unary { [ "AND" ] unary }
//	unary   = ( "NOT" | "-" | "+" ) unary | near
//	near    = primary { ( "NEAR/5" | "PRE/5" ) primary }
//	primary = "(" query ")" | number "OF" "(" query { "," query } ")" | atom [ "^" weight ] | predicate | field ":(" query ")"
//	atom    = word { word } | quoted | ( "like:" | "example:" | "image:" ) value
func Parse(text string) (Node, error) {
	if len(text) > MaxBytes {
		return nil, &SyntaxError{Query: text, Off: MaxBytes, Msg: fmt.Sprintf("the query is %d bytes long; at most %d are allowed", len(text), MaxBytes)}
	}
	if off := invalidUTF8(text); off >= 0 {
		return nil, &SyntaxError{Query: text, Off: off, Msg: "this byte is not valid UTF-8"}
	}
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	p := parser{text: text, tokens: tokens}
	if p.peek().Kind == TokenEnd {
		return nil, p.fail(p.peek(), "the query is empty; expected an atom such as dog, or a formula such as dog AND NOT leash")
	}
	n, err := p.or("")
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.Kind != TokenEnd {
		if t.Kind == TokenClose {
			return nil, p.fail(t, "found ) without a ( before it")
		}
		return nil, p.fail(t, "a weight follows one atom, as in dog^2; a group or a predicate has none")
	}
	return n, nil
}

func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

type parser struct {
	text   string
	tokens []Token
	at     int
	depth  int
	leaves int
	// field is the field of the field:( ) that is being read; patterns counts the words in them.
	field    string
	patterns int
}

func (p *parser) peek() Token { return p.tokens[p.at] }

func (p *parser) take() Token {
	t := p.tokens[p.at]
	if t.Kind != TokenEnd {
		p.at++
	}
	return t
}

func (p *parser) fail(t Token, format string, args ...any) error {
	return &SyntaxError{Query: p.text, Off: t.Start, Msg: fmt.Sprintf(format, args...)}
}

// descend enters one level of nesting; the caller leaves it.
func (p *parser) descend(t Token) error {
	if p.depth++; p.depth > MaxDepth {
		return p.fail(t, "the formula is nested more than %d deep", MaxDepth)
	}
	return nil
}

// or and the methods below take the operator before them, for the error message when
// nothing follows it.
func (p *parser) or(after string) (Node, error) {
	return p.list(after, p.and, func() (string, bool) {
		if p.peek().Kind != TokenOr {
			return "", false
		}
		p.take()
		return "OR", true
	}, p.anyOf)
}

func (p *parser) and(after string) (Node, error) {
	return p.list(after, p.unary, func() (string, bool) {
		switch p.peek().Kind {
		case TokenAnd:
			p.take()
			return "AND", true
		case TokenOpen, TokenOf, TokenNot, TokenPlus, TokenWords, TokenQuoted, TokenPredicate, TokenItem, TokenField, TokenTruncated:
			return "", true // juxtaposition
		}
		return "", false
	}, func(parts []Node, span Span) Node { return &And{Parts: parts, Pos: span} })
}

// list reads parts while more reports another, and joins several into one node.
func (p *parser) list(after string, part func(string) (Node, error), more func() (string, bool), join func([]Node, Span) Node) (Node, error) {
	first, err := part(after)
	if err != nil {
		return nil, err
	}
	parts := []Node{first}
	for {
		op, ok := more()
		if !ok {
			break
		}
		n, err := part(op)
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
	if len(parts) == 1 {
		return first, nil
	}
	return join(parts, Span{first.Span().Start, parts[len(parts)-1].Span().End}), nil
}

func (p *parser) unary(after string) (Node, error) {
	t := p.peek()
	if t.Kind != TokenNot && t.Kind != TokenPlus {
		return p.near(after)
	}
	p.take()
	if err := p.descend(t); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	operator := p.text[t.Start:t.End]
	x, err := p.unary(operator)
	if err != nil || t.Kind == TokenPlus {
		return x, err
	}
	return &Not{X: x, Pos: Span{t.Start, x.Span().End}}, nil
}

func (p *parser) primary(after string) (Node, error) {
	t := p.take()
	if p.field != "" {
		switch t.Kind {
		case TokenWords, TokenTruncated:
			return p.words(t, p.text[t.Start:t.End])
		case TokenQuoted:
			return p.words(t, t.Text)
		case TokenOf, TokenItem, TokenPredicate:
			return nil, p.inField(t)
		}
	}
	switch t.Kind {
	case TokenOpen:
		return p.group(t)
	case TokenField:
		return p.tagged(t)
	case TokenTruncated:
		words := strings.Join(strings.Fields(p.text[t.Start:t.End]), " ")
		return PatternOn(textFields[0], &Pattern{Words: words}, t.Span), p.leaf(t)
	case TokenOf:
		return p.atLeast(t)
	case TokenWords:
		return p.atom(t, Text, strings.Join(strings.Fields(p.text[t.Start:t.End]), " "))
	case TokenQuoted:
		return p.atom(t, Text, t.Text)
	case TokenItem:
		return p.atom(t, t.Item, t.Text)
	case TokenPredicate:
		if isGlob(t.Field, t.Op, t.Text) && !strings.ContainsAny(p.text[t.Start:t.End], `"“”`) {
			t.Op = Glob
		}
		return &Predicate{Field: t.Field, Op: t.Op, Value: t.Text, Pos: t.Span}, p.leaf(t)
	}
	found := p.text[t.Start:t.End]
	switch t.Kind {
	case TokenEnd:
		found = "the end of the query"
	case TokenWeight:
		found = "a weight"
	}
	if after != "" {
		after = " after " + after
	}
	return nil, p.fail(t, "expected an atom, a predicate or (%s, found %s", after, found)
}

func (p *parser) group(open Token) (Node, error) {
	if err := p.descend(open); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	if p.peek().Kind == TokenClose {
		return nil, p.fail(p.peek(), "expected a formula between ( and )")
	}
	n, err := p.or("(")
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.Kind == TokenComma {
		return nil, p.fail(t, "a comma stands between the parts of a list such as 2 OF (a, b, c); write AND or OR here, or quote the text")
	}
	_, err = p.close(open)
	return n, err
}

// close reads the parenthesis that matches open.
func (p *parser) close(open Token) (end int, err error) {
	switch t := p.take(); t.Kind {
	case TokenClose:
		return t.End, nil
	case TokenWeight:
		return 0, p.fail(t, "a weight follows one atom, as in dog^2; a group or a predicate has none")
	}
	return 0, p.fail(open, "this ( is never closed; expected )")
}

// atLeast reads the list after OF.
func (p *parser) atLeast(of Token) (Node, error) {
	open := p.take() // the lexer has checked it
	if err := p.descend(open); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	if p.peek().Kind == TokenClose {
		return nil, p.fail(p.peek(), "expected formulas with commas between ( and )")
	}
	n := &AtLeast{K: of.Count}
	for after := "("; ; after = "," {
		part, err := p.or(after)
		if err != nil {
			return nil, err
		}
		n.Parts = append(n.Parts, part)
		if p.peek().Kind != TokenComma {
			break
		}
		p.take()
	}
	end, err := p.close(open)
	if err != nil {
		return nil, err
	}
	if n.Pos = (Span{of.Start, end}); n.K < 1 || n.K > len(n.Parts) {
		return nil, p.fail(of, "%d of %d parts cannot be asked for; between 1 and %d can", n.K, len(n.Parts), len(n.Parts))
	}
	return n, nil
}

// atom returns the atom of a token, with the weight that may follow it.
func (p *parser) atom(t Token, kind Kind, text string) (Node, error) {
	a := &Atom{Kind: kind, Text: text, Pos: t.Span}
	if w := p.peek(); w.Kind == TokenWeight {
		p.take()
		a.Weight = w.Weight
		a.Pos.End = w.End
	}
	return a, p.leaf(t)
}

func (p *parser) leaf(t Token) error {
	if p.leaves++; p.leaves > MaxLeaves {
		return p.fail(t, "the query has more than %d atoms and predicates", MaxLeaves)
	}
	return nil
}
