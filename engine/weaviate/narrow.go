package weaviate

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// A narrowed filter lets everything through that passes; where it is exact, nothing else.
// Without a server's filter everything is let through.
type narrowed struct {
	server *wire.Filters
	exact  bool
}

var (
	unsaid   = narrowed{}           // nothing can be said
	nothing  = narrowed{none, true} // it passes nothing
	anything = narrowed{nil, true}  // it passes everything
	none     = anyOf(keyProperty, []string{key{}.String()})
)

// narrow is as much of a filter as the server can tell.
func (a *Attached) narrow(filter query.Node) narrowed {
	if filter == nil {
		return anything
	}
	return a.narrowNode(filter, false)
}

// narrowNode is that of what passes or, where it is negated, of what does not.
func (a *Attached) narrowNode(filter query.Node, negated bool) narrowed {
	switch n := filter.(type) {
	case *query.Predicate:
		f := a.predicate(n)
		switch {
		case !negated:
			return f
		case !f.exact:
			return unsaid
		case f.server == none:
			return anything
		}
		return narrowed{combine(wire.Filters_OPERATOR_NOT, f.server), true}
	case *query.Not:
		return a.narrowNode(n.X, !negated)
	case *query.And:
		return a.narrowAll(n.Parts, negated, !negated)
	case *query.Or:
		return a.narrowAll(n.Parts, negated, negated)
	}
	return unsaid
}

// narrowAll is that of parts of which all have to pass, or one.
func (a *Attached) narrowAll(parts []query.Node, negated, all bool) narrowed {
	out := narrowed{exact: true}
	var filters []*wire.Filters
	for _, p := range parts {
		f := a.narrowNode(p, negated)
		out.exact = out.exact && f.exact
		switch {
		case f.server != nil:
			filters = append(filters, f.server)
		case !all:
			return narrowed{exact: f.exact} // what everything passes
		}
	}
	op := wire.Filters_OPERATOR_OR
	if all {
		op = wire.Filters_OPERATOR_AND
	}
	if len(filters) > 0 {
		out.server = combine(op, filters...)
	}
	return out
}

// predicate is that of one, by what the property is. What stands in objects the server
// cannot tell.
func (a *Attached) predicate(p *query.Predicate) narrowed {
	prop := a.class.property(p.Field)
	if prop == nil || !a.isMetadata(prop) || p.Field == a.roles.Metadata {
		if strings.Contains(p.Field, ".") || a.roles.Metadata != "" {
			return unsaid
		}
		return nothing
	}
	if !prop.IndexFilterable || a.roles.Metadata != "" && a.class.property(a.roles.Metadata).has(p.Field) {
		return unsaid
	}
	x, isNumber := engine.ParseNumber(p.Value)
	switch strings.TrimSuffix(prop.kind(), "[]") {
	case "int", "number":
		switch {
		case isNumber && math.Abs(x) < 1<<53:
			return numeric(p, x, strings.HasPrefix(prop.kind(), "int"))
		case !isNumber && p.Op == query.Equal:
			return nothing
		}
		return unsaid
	case "boolean":
		return truth(p)
	case "date":
		return dated(p)
	}
	if p.Op == query.Equal && !isNumber { // a number is equal however it is written
		if f, ok := a.class.equal(prop, p.Value); ok && f != nil {
			return narrowed{f, false}
		} else if ok {
			return nothing
		}
	}
	return unsaid
}

// has reports whether an object has a property.
func (p *property) has(name string) bool {
	return slices.ContainsFunc(p.NestedProperties, func(n property) bool { return n.Name == name })
}

func leaf(property string, op wire.Filters_Operator) *wire.Filters {
	return &wire.Filters{Operator: op, Target: &wire.FilterTarget{Property: property}}
}

var operators = map[query.Comparison]wire.Filters_Operator{
	query.Equal: wire.Filters_OPERATOR_EQUAL, query.Less: wire.Filters_OPERATOR_LESS_THAN, query.LessEqual: wire.Filters_OPERATOR_LESS_THAN_EQUAL,
	query.Greater: wire.Filters_OPERATOR_GREATER_THAN, query.GreaterEqual: wire.Filters_OPERATOR_GREATER_THAN_EQUAL,
}

// numeric compares numbers. An integer is compared with one.
func numeric(p *query.Predicate, x float64, integers bool) narrowed {
	f := leaf(p.Field, operators[p.Op])
	if !integers {
		f.TestValue = &wire.Filters_ValueNumber{ValueNumber: x}
		return narrowed{f, true}
	}
	below := math.Floor(x)
	if below < x { // a fraction is above it
		switch p.Op {
		case query.Equal:
			return nothing
		case query.Less:
			f.Operator = wire.Filters_OPERATOR_LESS_THAN_EQUAL
		case query.GreaterEqual:
			f.Operator = wire.Filters_OPERATOR_GREATER_THAN
		}
	}
	f.TestValue = &wire.Filters_ValueInt{ValueInt: int64(below)}
	return narrowed{f, true}
}

// truth is true, false, both or neither, as these compare with a text.
func truth(p *query.Predicate) narrowed {
	var either []*wire.Filters
	for _, b := range []bool{false, true} {
		text := "false"
		if b {
			text = "true"
		}
		if engine.Passes(p, []engine.Value{{Field: p.Field, Text: text}}) {
			f := leaf(p.Field, wire.Filters_OPERATOR_EQUAL)
			f.TestValue = &wire.Filters_ValueBoolean{ValueBoolean: b}
			either = append(either, f)
		}
	}
	if len(either) == 0 {
		return nothing
	}
	return narrowed{combine(wire.Filters_OPERATOR_OR, either...), true}
}

// dated compares dates with the beginning of one. They are compared as they are written,
// and the server compares moments, from which zones are up to a day off.
func dated(p *query.Predicate) narrowed {
	for _, layout := range []string{"2006", "2006-01", "2006-01-02", time.RFC3339} {
		at, err := time.Parse(layout, p.Value)
		if err != nil {
			continue
		}
		const day = 24 * time.Hour
		f := leaf(p.Field, wire.Filters_OPERATOR_GREATER_THAN_EQUAL)
		switch {
		case p.Op == query.Equal && layout != time.RFC3339:
			return nothing
		case p.Op == query.Equal:
			f.Operator = wire.Filters_OPERATOR_EQUAL
		case p.Op == query.Less || p.Op == query.LessEqual:
			f.Operator = wire.Filters_OPERATOR_LESS_THAN_EQUAL
			at = at.Add(day)
		default:
			at = at.Add(-day)
		}
		f.TestValue = &wire.Filters_ValueText{ValueText: at.Format(time.RFC3339Nano)}
		return narrowed{f, false}
	}
	return unsaid
}

// equal lets through what has a property that is a text, which may be more where the server
// has divided it into words; nil: nothing has it. It is not ok where the server cannot tell.
func (c *foreign) equal(p *property, text string) (f *wire.Filters, ok bool) {
	kind := strings.TrimSuffix(p.kind(), "[]")
	f = leaf(p.Name, wire.Filters_OPERATOR_EQUAL)
	f.TestValue = &wire.Filters_ValueText{ValueText: text}
	switch {
	case !p.IndexFilterable:
		return nil, false
	case kind == "uuid":
		if _, err := parseKey(text); err != nil {
			return nil, true
		}
		return f, true
	case kind == "int":
		x, number := engine.ParseNumber(text)
		if !number || math.Abs(x) >= 1<<53 {
			return nil, !number
		}
		return numeric(&query.Predicate{Field: p.Name, Value: text}, x, true).server, true
	case kind != "text" && kind != "string":
		return nil, false
	}
	switch p.Tokenization {
	case "field":
		return f, strings.TrimSpace(text) != "" && !strings.ContainsRune(text, 0)
	case "word", "lowercase", "whitespace", "":
		return f, c.says(text)
	}
	return nil, false
}

// says reports whether a text has a word that is not a stop word, of which alone the server
// does not take a filter.
func (c *foreign) says(text string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !slices.Contains(english, word) && !slices.ContainsFunc(c.InvertedIndexConfig.Stopwords.Additions, func(s string) bool { return strings.EqualFold(s, word) }) {
			return true
		}
	}
	return false
}

// english are the stop words that a class has unless it says otherwise.
var english = strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with")
