package pushdown

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// checkFilter returns an error for predicates that look for words: other systems have other words.
func checkFilter(filter query.Node) error {
	for leaf := range query.Leaves(filter) {
		if p, ok := leaf.(*query.Predicate); ok && p.OnText() {
			return fmt.Errorf("%s is about what texts say, which only a search with nsfl can tell: leave it out", p)
		}
	}
	return nil
}

type filterer[T any] struct {
	// predicate writes a predicate or its negation. A document without the field matches no
	// predicate on it, and every negation.
	predicate func(p *query.Predicate, negated bool) (T, error)
	all, any  func([]T) T
}

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

// value returns a predicate's value for JSON documents: a number if it looks like one and the
// field is not declared as a string.
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

// readNumber parses a decimal number. Words such as inf are not numbers.
func readNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-0123456789.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsInf(x, 0)
}
