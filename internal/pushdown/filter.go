package pushdown

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// checkFilter returns an error for predicates that look for words: PostgreSQL has other words.
func checkFilter(filter query.Node) error {
	for leaf := range query.Leaves(filter) {
		if p, ok := leaf.(*query.Predicate); ok && p.OnText() {
			return fmt.Errorf("%s is about what texts say, which only a search with nsfl can tell: leave it out", p)
		}
	}
	return nil
}

// filter writes a condition on rows t. A row without the value does not satisfy a predicate.
func (w *sqlWriter) filter(filter query.Node) (string, error) {
	switch n := filter.(type) {
	case *query.Predicate:
		return w.predicate(n)
	case *query.Not:
		text, err := w.filter(n.X)
		return "(" + text + ") IS NOT TRUE", err
	case *query.And:
		return w.join(n.Parts, " AND ")
	case *query.Or:
		return w.join(n.Parts, " OR ")
	}
	return "", fmt.Errorf("%s is not a predicate such as year:>=2015", filter)
}

func (w *sqlWriter) join(parts []query.Node, sign string) (string, error) {
	texts := make([]string, len(parts))
	for i, p := range parts {
		var err error
		if texts[i], err = w.filter(p); err != nil {
			return "", err
		}
	}
	return "(" + strings.Join(texts, sign) + ")", nil
}

// readNumber parses a decimal number. Words such as inf are not numbers.
func readNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-0123456789.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsInf(x, 0)
}
