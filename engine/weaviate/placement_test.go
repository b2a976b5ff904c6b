package weaviate

import (
	"strings"
	"testing"
)

// What is missing, and where it was, goes by what the members of a cluster have.
func TestMissing(t *testing.T) {
	node := func(name string, shards ...string) member {
		n := member{Name: name, Shards: []named{{}}}
		for _, s := range shards {
			n.Shards = append(n.Shards, named{s})
		}
		return n
	}
	c := &placement{shards: []string{"x", "y", "z"}}
	for i, step := range []struct {
		nodes      []member
		everywhere bool
		want       []string // nil: nothing is missing
	}{
		{[]member{node("a", "x")}, false, []string{"2 of 3 shards", "y, z"}},
		{[]member{node("a", "x"), node("b", "y"), node("c", "z")}, false, nil},
		{[]member{node("a", "x"), node("b", "y"), node("c")}, false, []string{"1 of 3 shards", "z", "last on c"}},
		{[]member{node("a", "x"), {}}, false, []string{"2 of 3 shards", "y, z", "last on b, c"}},
		{[]member{node("a", "x")}, false, []string{"2 of 3 shards"}},
		{nil, false, []string{"3 of 3 shards", "last on a, b, c"}},
		{[]member{node("a", "x", "y", "z"), node("b", "x", "z", "y")}, true, nil},
		{[]member{node("a", "x", "y", "z"), node("b", "x", "z", "y"), node("c")}, false, nil},
		{[]member{node("a", "x", "y", "z", "another")}, true, nil},
	} {
		got := c.without(step.nodes)
		if (got == "") != (step.want == nil) || c.isEverywhere() != step.everywhere {
			t.Errorf("step %d: %q, everywhere: %t", i, got, c.isEverywhere())
		}
		for _, w := range step.want {
			if !strings.Contains(got, w) {
				t.Errorf("step %d: %q, want %q in it", i, got, w)
			}
		}
	}
}
