package milvus

import (
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// condition is what Milvus is asked about a filter. It passes all that passes the filter
// and, unless it is exact, some that does not, which is then told apart here.
type condition struct {
	text  string // an expression; empty: everything passes
	none  bool   // nothing passes
	exact bool
}

var (
	anything = condition{}            // Milvus cannot tell
	all      = condition{exact: true} // everything passes
	none     = condition{none: true, exact: true}
)

// longest is how long an expression may be.
const longest = 32 << 10

// condition is that of a filter, which may be nil.
func (s *Attached) condition(filter query.Node) condition {
	if filter == nil {
		return all
	}
	c := s.passing(filter, false)
	if len(c.text) > longest {
		return anything
	}
	return c
}

// passing is the condition of what passes a filter or, where it is negated, of what does not.
func (s *Attached) passing(filter query.Node, negated bool) condition {
	switch n := filter.(type) {
	case *query.Predicate:
		return s.predicate(n, negated)
	case *query.And:
		return s.combined(n.Parts, negated, !negated)
	case *query.Or:
		return s.combined(n.Parts, negated, negated)
	}
	return s.passing(filter.(*query.Not).X, !negated)
}

// combined passes what all of the parts do, or one of them.
func (s *Attached) combined(parts []query.Node, negated, every bool) condition {
	conditions := make([]condition, len(parts))
	for i, p := range parts {
		conditions[i] = s.passing(p, negated)
	}
	if every {
		return both(conditions)
	}
	return either(conditions)
}

func both(parts []condition) condition {
	out, texts := all, []string(nil)
	for _, p := range parts {
		if p.none {
			return none
		}
		if out.exact = out.exact && p.exact; p.text != "" {
			texts = append(texts, p.text)
		}
	}
	out.text = join(texts, " and ")
	return out
}

func either(parts []condition) condition {
	out, texts := none, []string(nil)
	for _, p := range parts {
		switch {
		case p == all:
			return all
		case p.none:
			continue
		}
		out.none, out.exact = false, out.exact && p.exact
		texts = append(texts, p.text)
	}
	if slices.Contains(texts, "") {
		return anything
	}
	out.text = join(texts, " or ")
	return out
}

// join is an expression of others, in parentheses where there are several.
func join(texts []string, operator string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return "(" + strings.Join(texts, operator) + ")"
}
