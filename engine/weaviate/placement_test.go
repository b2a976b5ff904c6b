package weaviate

import "testing"

// TestMissing checks the description of missing shards for the members of a cluster.
func TestMissing(t *testing.T) {
	node := func(shards ...string) member {
		n := member{Shards: []named{{}}}
		for _, s := range shards {
			n.Shards = append(n.Shards, named{s})
		}
		return n
	}
	const missing = " of 3 shards cannot be asked, since no node that answers has them: "
	for name, c := range map[string]struct {
		nodes []member
		want  string
	}{
		"a shard each":   {[]member{node("x"), node("y"), node("z")}, ""},
		"one of three":   {[]member{node("x"), node("y"), node()}, "1" + missing + "z"},
		"two of three":   {[]member{node("x"), {}}, "2" + missing + "y, z"},
		"no nodes":       {nil, "3" + missing + "x, y, z"},
		"replicas":       {[]member{node("x", "y", "z"), node("x", "z", "y"), node()}, ""},
		"another tenant": {[]member{node("x", "y", "z", "another")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := without([]string{"x", "y", "z"}, c.nodes); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
