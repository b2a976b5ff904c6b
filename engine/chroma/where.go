package chroma

import (
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// condition is one of Chroma's, for the parameter where. Nil lets everything pass.
type condition struct {
	json         map[string]any
	terms, depth int
}

// A server that is sent a condition of ten thousand terms, or of a great depth, ends.
// What has more than this is left to be checked here.
const (
	maxTerms = 100
	maxDepth = 20
)

func term(key, operator string, value any) *condition {
	return &condition{map[string]any{key: map[string]any{operator: value}}, 1, 1}
}

// every passes what all of its parts do. It leaves out those that are too many.
func every(parts ...*condition) *condition {
	all, room := []*condition(nil), maxTerms
	for _, p := range parts {
		if p != nil && p.terms <= room && p.depth < maxDepth {
			all = append(all, p)
			room -= p.terms
		}
	}
	return join("$and", all)
}

// some passes what one of its parts does.
func some(parts ...*condition) *condition {
	terms := 0
	for _, p := range parts {
		if p == nil || p.depth >= maxDepth {
			return nil
		}
		terms += p.terms
	}
	if terms > maxTerms {
		return nil
	}
	return join("$or", parts)
}

func join(operator string, parts []*condition) *condition {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	c := &condition{}
	texts := make([]map[string]any, len(parts))
	for i, p := range parts {
		texts[i] = p.json
		c.terms += p.terms
		c.depth = max(c.depth, p.depth)
	}
	c.json, c.depth = map[string]any{operator: texts}, c.depth+1
	return c
}

// where is a condition that passes whatever passes the filter or, where it is
// negated, whatever does not, and as little else as Chroma can tell.
func where(filter query.Node, negated bool) *condition {
	switch n := filter.(type) {
	case *query.Predicate:
		if negated {
			return without(n)
		}
		return with(n)
	case *query.Not:
		return where(n.X, !negated)
	case *query.And:
		return whereAll(n.Parts, negated, every, some)
	case *query.Or:
		return whereAll(n.Parts, negated, some, every)
	}
	return nil
}

func whereAll(parts []query.Node, negated bool, usual, other func(...*condition) *condition) *condition {
	all := make([]*condition, len(parts))
	for i, p := range parts {
		all[i] = where(p, negated)
	}
	if negated {
		return other(all...)
	}
	return usual(all...)
}

// with passes what may satisfy a predicate.
func with(p *query.Predicate) *condition {
	x, number := engine.ParseNumber(p.Value)
	n, s := orderedNumber(x), orderedString(p.Value)
	key := func(kind int) string { return keyOf(boundKeys[kind], p.Field) }
	if p.Op == query.Equal && number {
		return some(term(key(leastNumber), "$eq", n),
			every(term(key(leastNumber), "$lt", n), term(key(greatestNumber), "$gte", n)))
	}
	if p.Op == query.Equal {
		return some(term(equalKey(p.Field, p.Value), "$eq", there), term(more, "$eq", there))
	}
	// What begins alike may be on either side.
	less := p.Op == query.Less || p.Op == query.LessEqual
	var strings *condition
	if less {
		strings = term(key(leastString), "$lte", s)
	} else {
		strings = some(term(key(leastString), "$gte", s), term(key(greatestString), "$gte", s))
	}
	switch operator := operators[p.Op]; {
	case !number: // numbers compare as they are written, of which there is no key
		return some(strings, present(p.Field, leastNumber))
	case less:
		return some(strings, term(key(leastNumber), operator, n))
	default:
		return some(strings, term(key(leastNumber), operator, n), term(key(greatestNumber), operator, n))
	}
}

// without passes what may not satisfy a predicate: all but what surely does.
func without(p *query.Predicate) *condition {
	x, number := engine.ParseNumber(p.Value)
	n, s := orderedNumber(x), orderedString(p.Value)
	key := func(kind int) string { return keyOf(boundKeys[kind], p.Field) }
	// In Chroma a record without a key is one where it is not equal.
	if p.Op == query.Equal && number {
		return every(term(key(leastNumber), "$ne", n), term(key(greatestNumber), "$ne", n))
	}
	if p.Op == query.Equal {
		return term(equalKey(p.Field, p.Value), "$ne", there)
	}
	not := func(kind int, operator string, x int64) *condition {
		return some(term(key(kind), operator, x), absent(p.Field, kind))
	}
	var parts []*condition
	if p.Op == query.Less || p.Op == query.LessEqual {
		parts = append(parts, not(leastString, "$gte", s))
		if number {
			parts = append(parts, not(leastNumber, opposites[p.Op], n))
		}
	} else {
		parts = append(parts, not(leastString, "$lte", s), not(greatestString, "$lte", s))
		if number {
			parts = append(parts, not(leastNumber, opposites[p.Op], n), not(greatestNumber, opposites[p.Op], n))
		}
	}
	return every(parts...)
}

var (
	operators = map[query.Comparison]string{query.Less: "$lt", query.LessEqual: "$lte", query.Greater: "$gt", query.GreaterEqual: "$gte"}
	opposites = map[query.Comparison]string{query.Less: "$gte", query.LessEqual: "$gt", query.Greater: "$lte", query.GreaterEqual: "$lt"}
)

// present passes records that have a bound of a field, and absent those that have
// not, for which Chroma has no condition.
func present(field string, kind int) *condition {
	return term(keyOf(kinds, field), "$in", having(kind))
}
func absent(field string, kind int) *condition {
	return term(keyOf(kinds, field), "$nin", having(kind))
}

// having are the sets that a bound is in.
func having(kind int) (sets []int64) {
	for set := int64(1); set < 1<<bounds; set++ {
		if set&(1<<kind) != 0 {
			sets = append(sets, set)
		}
	}
	return sets
}
