package postgres

import (
	"testing"

	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// TestAdvice follows the advice, after which there is none.
func TestAdvice(t *testing.T) {
	dsn := sharedDSN(t)
	for _, typ := range []string{"vector({d})", "vector", "halfvec({d})", "halfvec"} {
		t.Run(typ, func(t *testing.T) {
			address := shelf{id: "text", vector: typ}.fill(t, dsn, schema(collection(t, dsn)), enginetest.Documents(5))
			advice := attachedTo(t, address).Advice()
			if advice == "" {
				t.Fatal("got no advice, want a statement")
			}
			run(t, dsn, advice)
			after := attachedTo(t, address)
			if after.access == nil || after.Advice() != "" {
				t.Errorf("after %s: got the index %+v and the advice %q, want an index and none", advice, after.access, after.Advice())
			}
		})
	}
}
