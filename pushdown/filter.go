package pushdown

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// textField is the field whose predicates are about what texts say. To take it for a column
// would answer something else.
const textField = "text"

// checkFilter refuses predicates that only a collection of nsfl can answer.
func checkFilter(filter query.Node) error {
	for leaf := range query.Leaves(filter) {
		if p, ok := leaf.(*query.Predicate); ok && p.Field == textField {
			return fmt.Errorf("%s is about what texts say, which only a collection in a directory can tell: leave it out", p)
		}
	}
	return nil
}

// filterer is how a system writes conditions, each of them a T.
type filterer[T any] struct {
	// predicate writes one, or its negation. A document without the field satisfies no
	// predicate about it, and so all negations.
	predicate func(p *query.Predicate, negated bool) (T, error)
	all, any  func([]T) T
}

// write writes a filter.
func (f *filterer[T]) write(filter query.Node) (T, error) { return f.node(query.NNF(filter)) }

func (f *filterer[T]) node(filter query.Node) (out T, err error) {
	switch n := filter.(type) {
	case *query.Predicate:
		return f.predicate(n, false)
	case *query.Not:
		if p, ok := n.X.(*query.Predicate); ok {
			return f.predicate(p, true)
		}
	case *query.And:
		return f.several(n.Parts, f.all)
	case *query.Or:
		return f.several(n.Parts, f.any)
	}
	return out, fmt.Errorf("%s is not a predicate such as year:>=2015", filter)
}

func (f *filterer[T]) several(parts []query.Node, join func([]T) T) (out T, err error) {
	written := make([]T, len(parts))
	for i, p := range parts {
		if written[i], err = f.node(p); err != nil {
			return out, err
		}
	}
	return join(written), nil
}

// value is what a predicate compares with where documents are JSON: a number where it is
// one and the field is not said to be of strings.
func (n *Names) value(p *query.Predicate) any {
	if x, ok := readNumber(p.Value); ok && !slices.Contains([]string{"text", "string", "keyword"}, n.Types[p.Field]) {
		return x
	}
	switch {
	case p.Value == "true" && n.Types[p.Field] == "boolean":
		return true
	case p.Value == "false" && n.Types[p.Field] == "boolean":
		return false
	}
	return p.Value
}

// readNumber reads a decimal number. Words such as inf are not numbers here.
func readNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-0123456789.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsInf(x, 0)
}
