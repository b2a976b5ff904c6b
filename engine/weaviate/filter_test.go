package weaviate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// lets is what a server makes of a filter over tokens.
func lets(f *wire.Filters, tokens []string) bool {
	switch f.Operator {
	case wire.Filters_OPERATOR_NOT:
		return !lets(f.Filters[0], tokens)
	case wire.Filters_OPERATOR_AND:
		return !slices.ContainsFunc(f.Filters, func(p *wire.Filters) bool { return !lets(p, tokens) })
	case wire.Filters_OPERATOR_OR:
		return slices.ContainsFunc(f.Filters, func(p *wire.Filters) bool { return lets(p, tokens) })
	}
	return slices.ContainsFunc(f.GetValueTextArray().Values, func(v string) bool { return slices.Contains(tokens, v) })
}

var comparisons = []query.Comparison{query.Equal, query.Less, query.LessEqual, query.Greater, query.GreaterEqual}

// checkBounds checks what the bounds of a predicate, and of its negation, are.
func checkBounds(t *testing.T, text, bound string) {
	t.Helper()
	value := engine.Value{Field: "f", Text: text}
	value.Number, value.IsNumber = engine.ParseNumber(text)
	values := []engine.Value{value}
	tokens := tokensOf(values)
	for _, op := range comparisons {
		p := &query.Predicate{Field: "f", Op: op, Value: bound}
		for _, n := range []query.Node{p, &query.Not{X: p}} {
			least, most := bounds(n)
			passes := engine.Passes(n, values)
			if !passes && lets(least, tokens) || passes && !lets(most, tokens) {
				t.Errorf("%q %s: it passes: %t, the bounds say %t and %t", text, n, passes, lets(least, tokens), lets(most, tokens))
			}
			// Open are only numbers beside what is none, and what is long.
			if len(bound) <= indexed && (value.IsNumber == isNumber(bound) || op == query.Equal) && lets(least, tokens) != lets(most, tokens) {
				t.Errorf("%q %s is left open", text, n)
			}
		}
	}
}

func isNumber(s string) bool { _, ok := engine.ParseNumber(s); return ok }

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", indexed)
	texts := []string{
		"", "a", "b", "ab", "abc", "abd", "b\x00", "\xff", "é", "2015-06-01", "2015-06-01T12:00", "2015-06-02", "0", "-0", "1", "-1", "1e3", "1000", "1000.0",
		"-1e300", "1e-300", "9007199254740993", "0.1", "12", "12x", long, long[1:], long + "a", long + "b", long + "ab", long[1:] + "y", long[1:] + "yz",
	}
	for _, text := range texts {
		for _, bound := range texts {
			checkBounds(t, text, bound)
		}
	}
	if numberDigits(0) != numberDigits(math.Copysign(0, -1)) {
		t.Error("0 and -0 differ")
	}
}

// One value of several is enough, and each is compared on its own.
func TestSeveralValues(t *testing.T) {
	values, err := engine.Values([]byte(`{"f": [1, 9, "ab", "abc"], "g": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	tokens := tokensOf(values)
	for text, want := range map[string]bool{
		"f:5": false, "f:>8": true, "f:<2": true, "f:>9": true, "f:ab": true, "f:>abc": false, "f:>=abc": true, "f:<1": false,
		"f:>1 AND f:<2": true, "NOT f:9": false, "g:ab": false, "h:>=0": false, "NOT h:>=0": true, "g:5 OR h:1": true,
	} {
		f, err := query.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		filter := newFilter(f.Filter)
		if got := lets(filter.server, tokens); engine.Passes(f.Filter, values) != want || filter.exact && got != want || want && !got {
			t.Errorf("%s: the server says %t (exact: %t), want %t", text, got, filter.exact, want)
		}
	}
}

// The server lets through all that passes, and nothing surely that does not.
func FuzzBounds(f *testing.F) {
	f.Add("2015", "2015.0")
	f.Add("2015-06-01T12:30", "2015-06-01T12:31")
	f.Add("abc", "abcd")
	f.Add("", "\x00")
	f.Add("1e400", "-5")
	f.Fuzz(func(t *testing.T, text, bound string) {
		checkBounds(t, text, bound)
		checkBounds(t, bound, text)
		checkBounds(t, text, text)
	})
}
