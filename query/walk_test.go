package query

import (
	"fmt"
	"strings"
	"testing"
)

func TestWalk(t *testing.T) {
	n := mustParse(t, "a AND NOT (b OR NOT c:1) AND NOT NOT d")
	var got []string
	for n, nots := range Walk(n) {
		got = append(got, fmt.Sprint(n, " ", nots))
	}
	want := "a AND NOT (b OR NOT c:1) AND NOT NOT d 0; a 0; NOT (b OR NOT c:1) 0; b OR NOT c:1 1; b 1; NOT c:1 1; c:1 2; NOT NOT d 0; NOT d 1; d 2"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("walked %s, want %s", s, want)
	}
	for n := range Leaves(n) { // stopping early is allowed
		if n.String() == "b" {
			break
		}
	}
	for range Walk(nil) {
		t.Error("there is something below nil")
	}
	if negated := Negated(n); len(negated) != 1 || !negated["b"] {
		t.Errorf("negated are %v", negated)
	}
}

func TestHolds(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "b": false, "NOT b": true, "a AND b": false, "a OR b": true, "a AND NOT (b OR b)": true, "NOT (a AND NOT b)": false,
	} {
		if got := Holds(mustParse(t, text), func(leaf Node) bool { return leaf.String() == "a" }); got != want {
			t.Errorf("%s is %v where a holds and b does not", text, got)
		}
	}
}

func TestAllOf(t *testing.T) {
	a, b := atom("a"), atom("b")
	if AllOf() != nil || AnyOf() != nil || AllOf(a) != Node(a) || AnyOf(a) != Node(a) || !Same(AllOf(a, b), and(a, b)) || !Same(AnyOf(a, b), or(a, b)) {
		t.Error("lists of none, one or two parts are wrong")
	}
}
