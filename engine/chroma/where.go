package chroma

import (
	"context"
	"math"
	"strings"

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

// where is a condition that passes whatever passes the filter, and as little else as Chroma
// can tell.
func (s *Store) where(ctx context.Context, filter query.Node) (*condition, error) {
	if filter == nil {
		return nil, nil
	}
	fields, err := s.fields(ctx)
	if err != nil {
		return nil, err
	}
	return narrower(fields).where(filter, false), nil
}

// narrower makes conditions for metadata whose keys are of some kinds. What it does not know
// it leaves open.
type narrower map[string]kind

// where passes what passes the filter or, where it is negated, what does not.
func (n narrower) where(filter query.Node, negated bool) *condition {
	switch f := filter.(type) {
	case *query.Predicate:
		switch {
		case n[f.Field]&others != 0 || strings.HasPrefix(f.Field, "$") || strings.HasPrefix(f.Field, "#"): // an operator
			return nil
		case negated:
			return without(f)
		}
		return n.with(f)
	case *query.Not:
		return n.where(f.X, !negated)
	case *query.And:
		return n.whereAll(f.Parts, negated, every, some)
	case *query.Or:
		return n.whereAll(f.Parts, negated, some, every)
	}
	return nil
}

func (n narrower) whereAll(parts []query.Node, negated bool, usual, other func(...*condition) *condition) *condition {
	all := make([]*condition, len(parts))
	for i, p := range parts {
		all[i] = n.where(p, negated)
	}
	if negated {
		return other(all...)
	}
	return usual(all...)
}

// exactNumber is where integers end that are the same as numbers of 64 bits.
const exactNumber = 1 << 53

// with passes what satisfies a predicate. Chroma compares numbers and nothing else, and a
// string is equal to one that is written the same; a string that is a number is equal to it
// here however it is written, and comes before or after others.
func (n narrower) with(p *query.Predicate) *condition {
	x, number := engine.ParseNumber(p.Value)
	switch {
	case number && n[p.Field] == numbers && math.Abs(x) < exactNumber:
		return compared(p, x)
	case number || p.Op != query.Equal:
		return nil
	case p.Value == "true" || p.Value == "false":
		return some(term(p.Field, "$eq", p.Value), term(p.Field, "$eq", p.Value == "true"))
	}
	return term(p.Field, "$eq", p.Value)
}

// compared passes the numbers that satisfy a predicate. For integers Chroma takes the
// fraction from what they are compared with, so that it is asked for the integers around.
func compared(p *query.Predicate, x float64) *condition {
	below, above := int64(math.Floor(x)), int64(math.Ceil(x))
	switch p.Op {
	case query.Equal:
		if below < above {
			return every(term(p.Field, "$gte", below), term(p.Field, "$lte", above))
		}
		return term(p.Field, "$eq", below)
	case query.Less, query.LessEqual:
		return term(p.Field, "$lte", above)
	}
	return term(p.Field, "$gte", below)
}

// without passes what does not satisfy a predicate, records without the key among them,
// which for Chroma are not equal, and for which it has no other condition.
func without(p *query.Predicate) *condition {
	x, number := engine.ParseNumber(p.Value)
	switch {
	case p.Op != query.Equal || x != math.Trunc(x) || math.Abs(x) >= exactNumber:
		return nil
	case number:
		return term(p.Field, "$ne", int64(x))
	case p.Value == "true" || p.Value == "false":
		return every(term(p.Field, "$ne", p.Value), term(p.Field, "$ne", p.Value == "true"))
	}
	return term(p.Field, "$ne", p.Value)
}
