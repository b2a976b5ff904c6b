package weaviate

import (
	"strings"
	"testing"

	"github.com/weaviate/weaviate/entities/models"
)

// What is missing, and where it was, goes by what the members of a cluster have.
func TestMissing(t *testing.T) {
	node := func(name string, shards ...string) *models.NodeStatus {
		n := &models.NodeStatus{Name: name, Shards: []*models.NodeShardStatus{nil}}
		for _, s := range shards {
			n.Shards = append(n.Shards, &models.NodeShardStatus{Name: s})
		}
		return n
	}
	c := &placement{shards: []string{"x", "y", "z"}}
	for i, step := range []struct {
		nodes      []*models.NodeStatus
		everywhere bool
		want       []string // nil: nothing is missing
	}{
		{[]*models.NodeStatus{node("a", "x")}, false, []string{"2 of 3 shards", "y, z"}},
		{[]*models.NodeStatus{node("a", "x"), node("b", "y"), node("c", "z")}, false, nil},
		{[]*models.NodeStatus{node("a", "x"), node("b", "y"), node("c")}, false, []string{"1 of 3 shards", "z", "last on c"}},
		{[]*models.NodeStatus{node("a", "x"), nil}, false, []string{"2 of 3 shards", "y, z", "last on b, c"}},
		{[]*models.NodeStatus{node("a", "x")}, false, []string{"2 of 3 shards"}},
		{nil, false, []string{"3 of 3 shards", "last on a, b, c"}},
		{[]*models.NodeStatus{node("a", "x", "y", "z"), node("b", "x", "z", "y")}, true, nil},
		{[]*models.NodeStatus{node("a", "x", "y", "z"), node("b", "x", "z", "y"), node("c")}, false, nil},
		{[]*models.NodeStatus{node("a", "x", "y", "z", "another")}, true, nil},
	} {
		got := c.missing(step.nodes)
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
