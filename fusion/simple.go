package fusion

import (
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// simple writes a term with the operators of the query language and the bare words of its
// atoms: "A AND B AND NOT C". Nested lists are in parentheses.
func simple(n query.Node) string {
	switch n := n.(type) {
	case *query.Atom:
		return n.Text
	case *query.Not:
		return "NOT " + nested(n.X)
	case *query.And:
		return strings.Join(each(n.Parts, nested), " AND ")
	case *query.Or:
		return strings.Join(each(n.Parts, nested), " OR ")
	case *query.AtLeast:
		return strings.Join(each(n.Parts, nested), ", ")
	}
	panic("fusion: a predicate is not a term: " + n.String())
}

// each returns the text of every part.
func each(parts []query.Node, text func(query.Node) string) []string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = text(p)
	}
	return texts
}

func nested(n query.Node) string {
	switch n.(type) {
	case *query.And, *query.Or, *query.AtLeast:
		return "(" + simple(n) + ")"
	}
	return simple(n)
}
