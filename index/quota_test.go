package index

import (
	"errors"
	"testing"
)

// TestQuota: a rejected batch leaves no trace, and existing documents can be replaced and
// deleted.
func TestQuota(t *testing.T) {
	ctx, c := t.Context(), create(t, Options{})
	docs := randomDocuments(source(t, 41), 400, testDim)
	held := model{}
	do := func(op operation) error {
		err := op.run(ctx, c)
		if err == nil {
			held = held.after(op)
		}
		return err
	}
	refused := func(op operation, what string, limit, would int64) {
		t.Helper()
		var quota *QuotaError
		if err := do(op); !errors.As(err, &quota) || quota.What != what || quota.Limit != limit || would > 0 && quota.Would != would {
			t.Errorf("refused: %v", err)
		}
		must(t, held.differs(ctx, c))
		expectSound(t, c.dir)
	}
	must(t, do(operation{upsert: docs[:90]}))
	c.SetQuota(Quota{Documents: 100})
	refused(operation{upsert: docs[90:101]}, "documents", 100, 101)
	must(t, do(operation{upsert: docs[80:100]}))
	refused(operation{upsert: docs[100:101]}, "documents", 100, 101)
	must(t, do(operation{upsert: docs[:50]}))
	must(t, do(operation{remove: []string{docs[0].ID}}))
	must(t, do(operation{upsert: docs[200:201]}))
	c.SetQuota(Quota{Documents: 50}) // fewer than stored
	must(t, do(operation{upsert: docs[60:70]}))
	refused(operation{upsert: docs[300:301]}, "documents", 50, 101)

	st, err := c.Stats(ctx)
	must(t, err)
	c.SetQuota(Quota{Bytes: st.Space})
	refused(operation{upsert: docs[100:]}, "bytes", st.Space, 0)
	var gone []string
	for _, d := range docs[:100] {
		gone = append(gone, d.ID)
	}
	must(t, do(operation{remove: gone}))
	must(t, c.Compact(ctx))
	must(t, do(operation{upsert: docs[300:310]}))
	must(t, held.differs(ctx, c))
}
