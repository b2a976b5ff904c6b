package weaviate

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

type bound = remote.Bound[*wire.Filters]

// Compile compiles the part of a filter that the server decides as predicate.Passes does.
func (d *driver) Compile(_ context.Context, filter query.Node) (remote.Where, error) {
	return d.compile(filter).Where(), nil
}

func (d *driver) compile(filter query.Node) bound {
	join := func(op wire.Filters_Operator) func([]*wire.Filters) (*wire.Filters, bool) {
		return func(parts []*wire.Filters) (*wire.Filters, bool) { return combine(op, parts...), true }
	}
	return (&remote.Compiler[*wire.Filters]{
		Predicate: d.predicate, And: join(wire.Filters_OPERATOR_AND), Or: join(wire.Filters_OPERATOR_OR),
		Not: func(f *wire.Filters) *wire.Filters { return combine(wire.Filters_OPERATOR_NOT, f) },
	}).Compile(filter)
}

func combine(op wire.Filters_Operator, parts ...*wire.Filters) *wire.Filters {
	if len(parts) == 1 && op != wire.Filters_OPERATOR_NOT {
		return parts[0]
	}
	return &wire.Filters{Operator: op, Filters: parts}
}

func withKeys(keys []string) *wire.Filters {
	return &wire.Filters{
		Operator:  wire.Filters_OPERATOR_CONTAINS_ANY,
		TestValue: &wire.Filters_ValueTextArray{ValueTextArray: &wire.TextArray{Values: keys}},
		Target:    &wire.FilterTarget{Property: "_id"},
	}
}

// predicate compiles a predicate by the type of its property. The server cannot decide
// conditions on the fields of objects.
func (d *driver) predicate(p *query.Predicate) bound {
	prop := d.class.property(p.Field)
	if prop == nil || !d.roles.IsMetadata(prop.Name) {
		if strings.Contains(p.Field, ".") || d.roles.Metadata != "" {
			return bound{}
		}
		return remote.Nothing[*wire.Filters]()
	}
	if !prop.IndexFilterable || d.roles.Metadata != "" && d.class.property(d.roles.Metadata).has(p.Field) {
		return bound{}
	}
	x, isNumber := predicate.ParseNumber(p.Value)
	switch strings.TrimSuffix(prop.kind(), "[]") {
	case "int", "number":
		switch {
		case isNumber && math.Abs(x) < remote.MaxExact:
			return numeric(p, x, strings.HasPrefix(prop.kind(), "int"))
		case !isNumber && p.Op == query.Equal:
			return remote.Nothing[*wire.Filters]()
		}
		return bound{}
	case "boolean":
		return truth(p)
	case "date":
		return dated(p)
	}
	if p.Op == query.Equal && !isNumber { // a number is equal however it is written
		if f, ok := d.class.equal(prop, p.Value); ok && f != nil {
			return remote.AtMost(f)
		} else if ok {
			return remote.Nothing[*wire.Filters]()
		}
	}
	return bound{}
}

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

func numeric(p *query.Predicate, x float64, integers bool) bound {
	if !integers {
		f := leaf(p.Field, operators[p.Op])
		f.TestValue = &wire.Filters_ValueNumber{ValueNumber: x}
		return remote.Exactly(f)
	}
	op, n, ok := remote.Integral(p.Op, x)
	if !ok {
		return remote.Nothing[*wire.Filters]()
	}
	f := leaf(p.Field, operators[op])
	f.TestValue = &wire.Filters_ValueInt{ValueInt: n}
	return remote.Exactly(f)
}

func truth(p *query.Predicate) bound {
	is := func(b bool) *wire.Filters {
		f := leaf(p.Field, wire.Filters_OPERATOR_EQUAL)
		f.TestValue = &wire.Filters_ValueBoolean{ValueBoolean: b}
		return f
	}
	switch no, yes := remote.Truths(p); {
	case no && yes:
		return remote.Exactly(combine(wire.Filters_OPERATOR_OR, is(false), is(true)))
	case no || yes:
		return remote.Exactly(is(yes))
	}
	return remote.Nothing[*wire.Filters]()
}

// dated compares dates with the beginning of one. They are compared as they are written,
// and the server compares moments, from which zones are up to a day off.
func dated(p *query.Predicate) bound {
	for _, layout := range []string{"2006", "2006-01", "2006-01-02", time.RFC3339} {
		at, err := time.Parse(layout, p.Value)
		if err != nil {
			continue
		}
		const day = 24 * time.Hour
		f := leaf(p.Field, wire.Filters_OPERATOR_GREATER_THAN_EQUAL)
		switch {
		case p.Op == query.Equal && layout != time.RFC3339:
			return remote.Nothing[*wire.Filters]()
		case p.Op == query.Equal:
			f.Operator = wire.Filters_OPERATOR_EQUAL
		case p.Op == query.Less || p.Op == query.LessEqual:
			f.Operator = wire.Filters_OPERATOR_LESS_THAN_EQUAL
			at = at.Add(day)
		default:
			at = at.Add(-day)
		}
		f.TestValue = &wire.Filters_ValueText{ValueText: at.Format(time.RFC3339Nano)}
		return remote.AtMost(f)
	}
	return bound{}
}

// equal returns a condition that all objects meet which have a text in a property, and perhaps
// others, since the server compares words; nil: no object has it. It is not ok if the server
// cannot decide it.
func (c *class) equal(p *property, text string) (f *wire.Filters, ok bool) {
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
		x, number := predicate.ParseNumber(text)
		if !number || math.Abs(x) >= remote.MaxExact {
			return nil, !number
		}
		return numeric(&query.Predicate{Field: p.Name, Value: text}, x, true).Expr, true
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

// says reports whether a text has a word that is not a stop word. The server rejects a filter
// of stop words alone.
func (c *class) says(text string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !slices.Contains(english, word) && !slices.ContainsFunc(c.InvertedIndexConfig.Stopwords.Additions, func(s string) bool { return strings.EqualFold(s, word) }) {
			return true
		}
	}
	return false
}

var english = strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with")
