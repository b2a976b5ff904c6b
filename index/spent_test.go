//go:build unix

package index

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// TestSpent makes the sync of the log fail under each kind of write. Further writes fail,
// existing data stays readable, and whether the process dies or reopens the collection,
// the write is present completely or not at all.
func TestSpent(t *testing.T) {
	ctx := t.Context()
	docs := randomDocuments(source(t, 46), 12, testDim)
	filled := []operation{{upsert: docs[:9]}, {remove: []string{docs[8].ID}}}
	before := model{}
	for _, op := range filled {
		before = before.after(op)
	}
	for name, op := range map[string]operation{
		"upsert": {upsert: docs[8:]}, "delete": {remove: []string{docs[0].ID}}, "notes": {notes: map[string]string{"a": "b"}}, "compact": {compact: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "c")
			d, err := newTestDisk(dir)
			must(t, err)
			t.Cleanup(d.Close)
			c, err := place{dir, d}.makeCollection(ctx, Options{Dimension: testDim})
			must(t, err)
			restless(c)
			for _, op := range filled {
				must(t, op.run(ctx, c))
			}
			d.Fail = func(_ int, call diskCall) error {
				if call.Kind == syncCall && strings.HasSuffix(call.Path, logName) {
					return syscall.EIO
				}
				return nil
			}
			if err := op.run(ctx, c); !errors.Is(err, engine.ErrSpent) || !c.Spent() {
				t.Fatalf("the write: %v, spent %v", err, c.Spent())
			}
			d.Fail = nil
			left := copyOf(t, dir)
			for _, again := range []operation{{upsert: docs[:1]}, {remove: []string{docs[1].ID}}, {compact: true}, {notes: map[string]string{"c": "d"}}} {
				if err := again.run(ctx, c); !errors.Is(err, engine.ErrSpent) {
					t.Errorf("%+v afterwards: %v", again, err)
				}
			}
			must(t, before.differs(ctx, c))
			expectEither(t, at(left), before, before.after(op))
			must(t, c.Close())
			expectEither(t, place{dir, d}, before, before.after(op))
		})
	}
}

// expectEither expects a sound collection that matches one of the models and accepts
// writes.
func expectEither(t *testing.T, p place, models ...model) {
	t.Helper()
	must(t, sound(t.Context(), p.dir, models))
	c, err := p.openCollection(t.Context(), Options{})
	must(t, err)
	must(t, c.Compact(t.Context()))
	must(t, oneOf(t.Context(), c, models))
	must(t, c.Close())
	expectSound(t, p.dir)
}
