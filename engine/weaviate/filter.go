package weaviate

import (
	"fmt"

	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

// filter is one that the server can apply. What it lets pass is everything that
// does pass and, where it is not exact, some that does not.
type filter struct {
	node   query.Node // nil: everything passes
	server *wire.Filters
	exact  bool
}

func newFilter(n query.Node) (*filter, error) {
	f := &filter{node: n, exact: true}
	if n == nil {
		return f, nil
	}
	least, most, err := bounds(n)
	f.server, f.exact = most, least == most
	return f, err
}

// bounds are two filters of which one lets through nothing that does not pass, and
// the other everything that does. They are the same where that can be said at once.
func bounds(n query.Node) (least, most *wire.Filters, err error) {
	switch n := n.(type) {
	case *query.Predicate:
		return predicate(n)
	case *query.Not:
		least, most, err := bounds(n.X)
		if err != nil {
			return nil, nil, err
		}
		if least == most {
			f := combine(wire.Filters_OPERATOR_NOT, most)
			return f, f, nil
		}
		return combine(wire.Filters_OPERATOR_NOT, most), combine(wire.Filters_OPERATOR_NOT, least), nil
	case *query.And:
		return boundsOf(n.Parts, wire.Filters_OPERATOR_AND)
	case *query.Or:
		return boundsOf(n.Parts, wire.Filters_OPERATOR_OR)
	case nil:
		return nil, nil, &index.InputError{What: "filter", Problem: "a part of it is missing"}
	}
	return nil, nil, &index.InputError{What: "filter", Problem: fmt.Sprintf("%s is not a predicate such as year:>=2015", n)}
}

func boundsOf(parts []query.Node, op wire.Filters_Operator) (least, most *wire.Filters, err error) {
	if len(parts) == 0 {
		return nil, nil, &index.InputError{What: "filter", Problem: "AND or OR of nothing"}
	}
	exact := true
	var lesser, greater []*wire.Filters
	for _, p := range parts {
		least, most, err := bounds(p)
		if err != nil {
			return nil, nil, err
		}
		exact = exact && least == most
		lesser, greater = append(lesser, least), append(greater, most)
	}
	most = combine(op, greater...)
	if exact {
		return most, most, nil
	}
	return combine(op, lesser...), most, nil
}

func combine(op wire.Filters_Operator, parts ...*wire.Filters) *wire.Filters {
	if len(parts) == 1 && op != wire.Filters_OPERATOR_NOT {
		return parts[0]
	}
	return &wire.Filters{Operator: op, Filters: parts}
}

// predicate follows package index: a number in the metadata and a number in the
// predicate compare as numbers, everything else as strings, byte by byte. One value
// is enough, and a document without the field satisfies nothing.
func predicate(p *query.Predicate) (least, most *wire.Filters, err error) {
	if !known(p.Op) {
		return nil, nil, &index.InputError{What: "filter", Problem: fmt.Sprintf("unknown comparison %d", p.Op)}
	}
	tokens, open := texts(p.Field, p.Op, p.Value)
	if x, ok := index.ParseNumber(p.Value); ok {
		tokens = append(tokens, numbers(p.Field, p.Op, x)...)
	} else if p.Op != query.Equal {
		// Numbers compare by how they are written, of which there is no token.
		open = append(open, token(kindNumber, p.Field, ""))
	}
	least = anyOf(tokensProperty, tokens)
	if len(open) == 0 {
		return least, least, nil
	}
	return least, anyOf(tokensProperty, append(tokens, open...)), nil
}

func known(op query.Comparison) bool {
	switch op {
	case query.Equal, query.Less, query.LessEqual, query.Greater, query.GreaterEqual:
		return true
	}
	return false
}

// anyOf lets through what has one of values. Where there are none, it has one that
// nothing has.
func anyOf(property string, values []string) *wire.Filters {
	if len(values) == 0 {
		values = []string{"none"}
	}
	return &wire.Filters{
		Operator:       wire.Filters_OPERATOR_CONTAINS_ANY,
		ValueTextArray: &wire.TextArray{Values: values},
		Target:         &wire.FilterTarget{Property: property},
	}
}

// passes decides what the server cannot.
func (f *filter) passes(metadata []byte) (bool, error) {
	if f.node == nil {
		return true, nil
	}
	values, err := index.Values(metadata)
	if err != nil {
		return false, fmt.Errorf("reading what is stored: %w", err)
	}
	return index.Passes(f.node, values), nil
}
