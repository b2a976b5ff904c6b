package peers

import (
	"testing"

	"github.com/nsfl-go/nsfl/eval/sets"
)

func TestKnownItem(t *testing.T) {
	q := &sets.Query{Template: "passing", AboutExcluded: []string{"x", "y"}}
	q.SetGrades(map[string]int{"wanted": 1})
	for _, c := range []struct {
		name                        string
		ranking                     []string
		first, five, inverse, leaks float64
	}{
		{"first", []string{"wanted", "a", "b", "c", "d", "x"}, 1, 1, 1, 0},
		{"third, behind a leak", []string{"a", "x", "wanted", "y", "d"}, 0, 1, 1.0 / 3, 0.4},
		{"sixth", []string{"a", "b", "c", "d", "x", "wanted"}, 0, 0, 1.0 / 6, 0.2},
		{"not found", []string{"a"}, 0, 0, 0, 0},
		{"nothing", nil, 0, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var k KnownItem
			k.add(q, c.ranking)
			if k.First[0] != c.first || k.Five[0] != c.five || k.Inverse[0] != c.inverse || k.Leaks[0] != c.leaks {
				t.Errorf("got %+v, want %+v", k, c)
			}
		})
	}
}

func TestWantedPart(t *testing.T) {
	for formula, want := range map[string]string{
		"a AND NOT b":                  "a",
		"a AND b AND NOT c AND NOT d":  "a AND b",
		"(a OR b) AND c AND NOT d":     "(a OR b) AND c",
		"NOT a AND NOT b":              "NOT a AND NOT b",
		"a":                            "a",
		"2 OF (a, b, c) AND NOT d^0.5": "2 OF (a, b, c)",
	} {
		if got := wantedPart(formula).String(); got != want {
			t.Errorf("%s: got %s, want %s", formula, got, want)
		}
	}
}
