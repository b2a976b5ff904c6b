package index

import (
	"context"
	"errors"
	"testing"
)

// compactWhile compacts a collection and calls meanwhile for each slot copied before it
// catches up.
func compactWhile(ctx context.Context, c *Collection, meanwhile func(slot int) error) error {
	s, err := c.acquire(ctx)
	if err != nil {
		return err
	}
	defer c.release(s)
	return c.compact(ctx, s, meanwhile)
}

// TestCompactWhileWriting commits batches between all steps of a compaction, and expects
// them in the result.
func TestCompactWhileWriting(t *testing.T) {
	ctx, r := t.Context(), source(t, 31)
	c := create(t, Options{})
	held, next := model{}, 0
	step := func() error {
		op := operationAt(next)
		next++
		if op.compact {
			return nil
		}
		held = held.after(op)
		return op.run(ctx, c)
	}
	for range 40 {
		must(t, step())
	}
	for range 5 {
		before, err := c.Stats(ctx)
		must(t, err)
		must(t, compactWhile(ctx, c, func(int) error {
			if r.IntN(4) > 0 {
				return nil
			}
			return step()
		}))
		must(t, held.differs(ctx, c))
		expectSound(t, c.dir)
		after, err := c.Stats(ctx)
		must(t, err)
		if after.Generation < before.Generation+2 {
			t.Errorf("generation %d before, %d after: nothing was written meanwhile", before.Generation, after.Generation)
		}
	}
	must(t, c.Compact(ctx))
	if st, err := c.Stats(ctx); err != nil || st.Deleted != 0 {
		t.Errorf("in the end %d are deleted, %v", st.Deleted, err)
	}
	must(t, c.Close())
	again, err := Open(ctx, c.dir, Options{})
	must(t, err)
	must(t, held.differs(ctx, again))
	must(t, again.Close())
}

// TestCompactFails interrupts a compaction: batches committed meanwhile survive, no files
// are left behind, and the next compaction succeeds.
func TestCompactFails(t *testing.T) {
	ctx := t.Context()
	c := create(t, Options{})
	docs := randomDocuments(source(t, 32), 300, testDim)
	held := model{}
	do := func(op operation) error {
		held = held.after(op)
		return op.run(ctx, c)
	}
	must(t, do(operation{upsert: docs[:200]}))
	must(t, do(operation{remove: []string{docs[3].ID, docs[70].ID}}))
	stopped := errors.New("stopped")
	cancelled, cancel := context.WithCancel(ctx)
	for _, stop := range []struct {
		ctx  context.Context
		how  func() error
		want error
	}{
		{ctx, func() error { return stopped }, stopped},
		{cancelled, func() error { cancel(); return nil }, context.Canceled},
	} {
		err := compactWhile(stop.ctx, c, func(slot int) error {
			if slot != 100 {
				return nil
			}
			return errors.Join(do(operation{upsert: docs[200:250]}), stop.how())
		})
		if !errors.Is(err, stop.want) {
			t.Errorf("stopped: %v, want %v", err, stop.want)
		}
		must(t, held.differs(ctx, c))
		expectSound(t, c.dir)
		if left := flatFiles(t, c.dir); len(left) != int(fileKinds) {
			t.Errorf("flat files left: %q", left)
		}
	}
	must(t, do(operation{upsert: docs[250:]}))
	must(t, c.Compact(ctx))
	must(t, held.differs(ctx, c))
	expectSound(t, c.dir)
}
