package elastic

import (
	"context"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// expr is a query with how deep queries are in each other in it.
type expr struct {
	clause clause
	depth  int
}

type bound = remote.Bound[expr]

// maxDepth is how deep queries may be in each other here; Elasticsearch takes thirty.
const maxDepth = 20

func exactly(c clause) bound { return remote.Exactly(expr{c, 1}) }

func atMost(c clause) bound { return remote.AtMost(expr{c, 1}) }

// Compile compiles the part of a filter that the server decides as engine.Passes does.
func (d *driver) Compile(_ context.Context, filter query.Node) (remote.Where, error) {
	return compile(filter, d.layout).Where(), nil
}

func compile(filter query.Node, l layout) bound {
	join := func(all func(...clause) clause) func([]expr) (expr, bool) {
		return func(parts []expr) (expr, bool) {
			clauses, depth := make([]clause, len(parts)), 0
			for i, p := range parts {
				clauses[i], depth = p.clause, max(depth, p.depth)
			}
			return expr{all(clauses...), depth + 1}, depth < maxDepth
		}
	}
	return (&remote.Compiler[expr]{
		Predicate: l.predicate, And: join(allOf), Or: join(anyOf), Not: func(e expr) expr { return expr{noneOf(e.clause), e.depth + 1} },
	}).Compile(filter)
}

// narrowed is the query of documents that meet a condition.
func narrowed(where remote.Where, documents clause) clause {
	if e, ok := where.Native.(expr); ok {
		return allOf(documents, e.clause)
	}
	return allOf(documents)
}
