package postgres

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// arguments are the values of a statement's parameters.
type arguments []any

// add adds a value and returns the parameter that stands for it.
func (a *arguments) add(value any) string {
	*a = append(*a, value)
	return fmt.Sprintf("$%d", len(*a))
}

// comparable is an *engine.InputError where a filter has what PostgreSQL cannot hold.
func comparable(filter query.Node) error {
	if filter == nil {
		return nil
	}
	for leaf := range query.Leaves(filter) {
		if p, ok := leaf.(*query.Predicate); ok && (!storable(p.Field) || !storable(p.Value)) {
			return engine.BadInput("filter", "%s is not valid UTF-8 or has a zero byte, which PostgreSQL cannot compare", p)
		}
	}
	return nil
}

// condition is a filter in SQL, on the document that an expression gives the ref
// of. The tree's shape becomes text; all that it says becomes arguments.
func condition(filter query.Node, ref string, args *arguments) string {
	switch n := filter.(type) {
	case *query.Predicate:
		return "EXISTS (SELECT " + predicate(n, args) + " AND e.ref = " + ref + ")"
	case *query.Not:
		return "NOT " + condition(n.X, ref, args)
	case *query.And:
		return join(n.Parts, " AND ", ref, args)
	case *query.Or:
		return join(n.Parts, " OR ", ref, args)
	}
	return "true"
}

// set is a filter as a query for the refs of what passes, some of them twice,
// which gives the first without having found the others.
func set(filter query.Node, args *arguments) string {
	switch n := filter.(type) {
	case *query.Predicate:
		return "SELECT e.ref " + predicate(n, args)
	case *query.Or:
		texts := make([]string, len(n.Parts))
		for i, p := range n.Parts {
			texts[i] = set(p, args)
		}
		return "(" + strings.Join(texts, ") UNION ALL (") + ")"
	}
	return "SELECT d.ref FROM {c}.documents d WHERE " + condition(filter, "d.ref", args)
}

func join(parts []query.Node, operator, ref string, args *arguments) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = condition(p, ref, args)
	}
	return "(" + strings.Join(texts, operator) + ")"
}

// predicate is where its entries are. It follows engine.Passes: a number in the
// metadata and a number in the predicate compare as numbers, everything else as
// strings, byte by byte. One entry is enough, and a document without the field
// satisfies nothing.
func predicate(p *query.Predicate, args *arguments) string {
	operator := p.Op.String()
	compare := fmt.Sprintf("%s %s %s::text", beginning("e.text", p.Value), operator, args.add(p.Value))
	if x, ok := engine.ParseNumber(p.Value); ok {
		compare = fmt.Sprintf("(e.number %s %s::float8 OR e.number IS NULL AND %s)", operator, args.add(x), compare)
	}
	return fmt.Sprintf("FROM {c}.entries e WHERE %s = %s::text AND %s", beginning("e.field", p.Field), args.add(p.Field), compare)
}

// beginning is what of a column is compared with a value: its first 64
// characters, which are in an index, wherever that gives the same answer. It does
// where the value is shorter, since then the two differ within them or not at all.
func beginning(column, value string) string {
	const indexed = 64
	if utf8.RuneCountInString(value) < indexed {
		return fmt.Sprintf("left(%s, %d)", column, indexed)
	}
	return column
}
