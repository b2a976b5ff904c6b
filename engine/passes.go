package engine

import (
	"cmp"

	"github.com/nsfl-go/nsfl/query"
)

// Passes reports whether a document with such values passes a filter, for stores
// that cannot leave all of it to their engine. A number in the metadata and a
// number in the predicate compare as numbers, everything else as strings, byte by
// byte. One value is enough, and a document without the field satisfies nothing.
func Passes(filter query.Node, values []Value) bool {
	return query.Holds(filter, func(leaf query.Node) bool {
		p, ok := leaf.(*query.Predicate)
		return ok && matching(p, values)
	})
}

func matching(p *query.Predicate, values []Value) bool {
	x, number := ParseNumber(p.Value)
	for _, v := range values {
		if v.Field != p.Field {
			continue
		}
		c := cmp.Compare(v.Text, p.Value)
		if number && v.IsNumber {
			c = cmp.Compare(v.Number, x)
		}
		if agrees(p.Op, c) {
			return true
		}
	}
	return false
}

// agrees reports whether a comparison is true of what is less (-1), equal or greater.
func agrees(op query.Comparison, c int) bool {
	switch op {
	case query.Equal:
		return c == 0
	case query.Less:
		return c < 0
	case query.LessEqual:
		return c <= 0
	case query.Greater:
		return c > 0
	}
	return c >= 0
}
