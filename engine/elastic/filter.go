package elastic

import "github.com/nsfl-go/nsfl/query"

// filter is one that the server can apply. What it lets pass is everything that does pass
// and, where it is not exact, some that does not.
type filter struct {
	node  query.Node // nil: everything passes
	most  clause
	exact bool
}

// bounds are two queries of which one is answered by nothing that does not pass, and the
// other by everything that does. Where they are exact both are the same.
type bounds struct {
	least, most clause
	exact       bool
}

// exactly is what can be said at once.
func exactly(c clause) bounds { return bounds{c, c, true} }

// atMost is what narrows a search, and has to be checked.
func atMost(c clause) bounds { return bounds{nothing(), c, false} }

// maxDepth is how deep queries may be in each other here; Elasticsearch takes thirty.
const maxDepth = 20

// newFilter is the filter that n becomes, its predicates being those of a form.
func newFilter(n query.Node, f form) *filter {
	if n == nil {
		return &filter{most: everything(), exact: true}
	}
	b := boundsOf(n, f, maxDepth)
	return &filter{n, b.most, b.exact}
}

func boundsOf(n query.Node, f form, depth int) bounds {
	if depth == 0 {
		return atMost(everything())
	}
	switch n := n.(type) {
	case *query.Predicate:
		return f.predicate(n)
	case *query.And:
		return together(n.Parts, f, depth, allOf)
	case *query.Or:
		return together(n.Parts, f, depth, anyOf)
	}
	b := boundsOf(n.(*query.Not).X, f, depth-1)
	return bounds{noneOf(b.most), noneOf(b.least), b.exact}
}

func together(parts []query.Node, f form, depth int, join func(...clause) clause) bounds {
	exact := true
	var least, most []clause
	for _, p := range parts {
		b := boundsOf(p, f, depth-1)
		exact = exact && b.exact
		least, most = append(least, b.least), append(most, b.most)
	}
	return bounds{join(least...), join(most...), exact}
}
