package weaviate

import (
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// filter is one that the server can apply. What it lets pass is everything that
// does pass and, where it is not exact, some that does not.
type filter struct {
	node   query.Node // nil: everything passes
	server *wire.Filters
	exact  bool
}

func newFilter(n query.Node) *filter {
	if n == nil {
		return &filter{exact: true}
	}
	least, most := bounds(n)
	return &filter{n, most, least == most}
}

// bounds are two filters of which one lets through nothing that does not pass, and
// the other everything that does. They are the same where that can be said at once.
func bounds(n query.Node) (least, most *wire.Filters) {
	switch n := n.(type) {
	case *query.Predicate:
		return predicate(n)
	case *query.And:
		return boundsOf(n.Parts, wire.Filters_OPERATOR_AND)
	case *query.Or:
		return boundsOf(n.Parts, wire.Filters_OPERATOR_OR)
	}
	least, most = bounds(n.(*query.Not).X)
	if least == most {
		f := combine(wire.Filters_OPERATOR_NOT, most)
		return f, f
	}
	return combine(wire.Filters_OPERATOR_NOT, most), combine(wire.Filters_OPERATOR_NOT, least)
}

func boundsOf(parts []query.Node, op wire.Filters_Operator) (least, most *wire.Filters) {
	exact := true
	var lesser, greater []*wire.Filters
	for _, p := range parts {
		least, most := bounds(p)
		exact = exact && least == most
		lesser, greater = append(lesser, least), append(greater, most)
	}
	most = combine(op, greater...)
	if exact {
		return most, most
	}
	return combine(op, lesser...), most
}

func combine(op wire.Filters_Operator, parts ...*wire.Filters) *wire.Filters {
	if len(parts) == 1 && op != wire.Filters_OPERATOR_NOT {
		return parts[0]
	}
	return &wire.Filters{Operator: op, Filters: parts}
}

// predicate follows engine.Passes: a number in the metadata and a number in the
// predicate compare as numbers, everything else as strings, byte by byte. One value
// is enough, and a document without the field satisfies nothing.
func predicate(p *query.Predicate) (least, most *wire.Filters) {
	tokens, open := texts(p.Field, p.Op, p.Value)
	if x, ok := engine.ParseNumber(p.Value); ok {
		tokens = append(tokens, numbers(p.Field, p.Op, x)...)
	} else if p.Op != query.Equal {
		// Numbers compare by how they are written, of which there is no token.
		open = append(open, token(kindNumber, p.Field, ""))
	}
	least = anyOf(tokensProperty, tokens)
	if len(open) == 0 {
		return least, least
	}
	return least, anyOf(tokensProperty, append(tokens, open...))
}

// anyOf lets through what has one of values. Where there are none, it has one that
// nothing has.
func anyOf(property string, values []string) *wire.Filters {
	if len(values) == 0 {
		values = []string{"none"}
	}
	return &wire.Filters{
		Operator:  wire.Filters_OPERATOR_CONTAINS_ANY,
		TestValue: &wire.Filters_ValueTextArray{ValueTextArray: &wire.TextArray{Values: values}},
		Target:    &wire.FilterTarget{Property: property},
	}
}
