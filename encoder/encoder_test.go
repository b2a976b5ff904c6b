package encoder

import "testing"

func TestIdentityString(t *testing.T) {
	for _, c := range []struct {
		id   Identity
		want string
	}{
		{Identity{Name: "x", Dimension: 3}, "x (3 dimensions)"},
		{
			Identity{Name: "x", Revision: "2", Dimension: 384, Pooling: "mean", Weights: "0123456789abcdef"},
			"x@2 (384 dimensions, pooling mean, weights 01234567)",
		},
		{
			Identity{Name: "e5", Dimension: 8, Prefixes: Prefixes{"query: ", "passage: ", "passage: "}},
			`e5 (8 dimensions, prefixes "query: " "passage: " "passage: ")`,
		},
	} {
		if got := c.id.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestRoles(t *testing.T) {
	p := Prefixes{"q", "d", "p"}
	for role, want := range map[Role]string{Query: "q", Document: "d", Passage: "p"} {
		if got := p.Of(role); got != want || role.Check() != nil || role.String()[:1] != want {
			t.Errorf("%s: prefix %q, want %q; %v", role, got, want, role.Check())
		}
	}
	if err := Role(3).Check(); err == nil {
		t.Error("an unknown role was accepted")
	}
}
