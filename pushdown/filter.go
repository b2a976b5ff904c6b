package pushdown

import (
	"fmt"
	"math"
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

// filterer is how a system writes conditions, as what T is.
type filterer[T any] struct {
	predicate func(p *query.Predicate, negated bool) (T, error)
	not       func(T) T
	all, any  func([]T) T
}

// write writes a filter. A document without a field satisfies no predicate about it, and so
// all negations of one; negated says that an odd number of them stands above.
func (f *filterer[T]) write(filter query.Node, negated bool) (out T, err error) {
	switch n := filter.(type) {
	case *query.Predicate:
		return f.predicate(n, negated)
	case *query.Not:
		if out, err = f.write(n.X, !negated); err == nil {
			out = f.not(out)
		}
		return out, err
	case *query.And:
		return f.several(n.Parts, negated, f.all)
	case *query.Or:
		return f.several(n.Parts, negated, f.any)
	}
	return out, fmt.Errorf("%s is not a predicate such as year:>=2015", filter)
}

func (f *filterer[T]) several(parts []query.Node, negated bool, join func([]T) T) (out T, err error) {
	texts := make([]T, len(parts))
	for i, p := range parts {
		if texts[i], err = f.write(p, negated); err != nil {
			return out, err
		}
	}
	return join(texts), nil
}

// readNumber reads a decimal number. Words such as inf are not numbers here.
func readNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-0123456789.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsInf(x, 0)
}
