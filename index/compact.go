package index

import (
	"context"
	"errors"
	"os"

	"github.com/nsfl-go/nsfl/engine"
)

// Compact rewrites the flat files without the documents that are deleted when it starts.
// Searches and batches continue meanwhile; batches wait only at the end, while the most
// recent ones are copied. The collection is unchanged until Compact commits.
func (c *Collection) Compact(ctx context.Context) error {
	return c.call("compacting", func() error {
		if c.writer == nil {
			return engine.ErrReadOnly
		}
		return c.writer.compacting.Do(ctx, func() error {
			s, err := c.acquire(ctx)
			if err != nil {
				return err
			}
			defer c.release(s)
			if s.deaths == 0 {
				return nil
			}
			return c.compact(ctx, s, func(int) error { return nil })
		})
	})
}

// compact writes the files of the next epoch and makes the ledger adopt them. It drops the
// documents that are dead in the snapshot; later documents are copied dead or alive, and
// their tombstones stay. It calls before ahead of each slot of the snapshot that it copies,
// so that tests can write in between.
func (c *Collection) compact(ctx context.Context, s *snapshot, before func(slot int) error) error {
	next := state{format: FormatVersion, epoch: s.epoch + 1}
	f, err := openFiles(c.place, c.shape, next, os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return errors.Join(explainOS("making the files", err), sweep(c.place, c.shape, s.epoch))
	}
	copied := newCopier(s, f, &next)
	err = s.guard(func() error { return copied.run(ctx, before) })
	if err == nil {
		err = c.clearMetadata(ctx, s)
	}
	if err == nil {
		err = c.catchUp(ctx, copied, f)
	}
	begun := false
	if err == nil {
		err = c.inTurn(ctx, func() error {
			begun = true
			return c.finish(ctx, s, copied, f)
		})
	}
	if err = errors.Join(err, f.close()); err == nil {
		return c.shrink(ctx)
	}
	if !begun { // nothing refers to the new files
		err = errors.Join(err, sweep(c.place, c.shape, s.epoch))
	}
	return err
}

// catchUp copies batches that arrived since, until few are left. It converges because
// writing a batch is slower than copying it.
func (c *Collection) catchUp(ctx context.Context, copied *copier, f files) error {
	const little, rounds = 1024, 16
	for range rounds {
		now, err := c.acquire(ctx)
		if err != nil {
			return err
		}
		come := now.slots - copied.done
		err = copied.follow(ctx, now)
		c.release(now)
		if err == nil {
			err = explainOS("writing the files", f.sync())
		}
		if err != nil || come <= little {
			return err
		}
	}
	return nil
}

// finish copies the rest and makes the ledger adopt the files. The caller must hold the
// writer's turn.
func (c *Collection) finish(ctx context.Context, s *snapshot, copied *copier, f files) error {
	before, err := c.latest(ctx)
	if err == nil {
		defer c.release(before)
		err = copied.follow(ctx, before)
	}
	if err == nil {
		err = explainOS("writing the files", errors.Join(f.sync(), c.syncDir()))
	}
	if err == nil {
		err = c.transact(ctx, before, func(_ context.Context, b *batch) error { return b.adopt(*copied.next, s) })
	}
	if c.Spent() {
		return err
	}
	now, publishErr := c.latest(context.WithoutCancel(ctx))
	if publishErr != nil {
		return errors.Join(err, publishErr)
	}
	defer c.release(now)
	return errors.Join(err, sweep(c.place, c.shape, now.epoch))
}

// adopt switches the ledger to the new files and drops the tombstones that the snapshot
// covers.
func (b *batch) adopt(next state, s *snapshot) error {
	if _, err := b.tx.Exec(`DELETE FROM tombstones WHERE generation <= ?`, s.generation); err != nil {
		return b.c.writer.ledger.explain("clearing the ledger", err)
	}
	b.tombstones -= s.tombstones
	next.generation, next.last, next.totals = b.generation, b.last, b.totals
	b.state = next
	return nil
}
