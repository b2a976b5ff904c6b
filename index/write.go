package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/disk"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// writer is what only the holder of the lock has.
type writer struct {
	lock       disk.File
	ledger     *ledger
	files      files
	epoch      int           // that of the files
	turn       workers.Slots // one, for whatever is committed
	compacting workers.Slots // one
	rest       *time.Timer   // of the log; nil until something is written
	spent      atomic.Bool   // a commit has failed: see commit
}

// clear cuts off what an unfinished batch has left, and clears away what an
// unfinished Compact has.
func (w *writer) clear(p place, s shape, st state) error {
	if err := w.use(p, s, st); err != nil {
		return err
	}
	// SQLite syncs the name of its log too, but does not tell when that fails.
	if err := p.syncDir(); err != nil {
		return explainOS("syncing the directory", err)
	}
	// Whoever made the collection may have failed to sync its own name. Where others may
	// not read what is above, that was theirs to do.
	if err := p.disk.SyncDir(filepath.Dir(p.dir)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return explainOS("syncing the directory above", err)
	}
	if err := w.files.cut(s.lengths(st)); err != nil {
		return explainOS("cutting the files", err)
	}
	return sweep(p, s, st.epoch)
}

// use makes the files of a state's epoch those that are written to.
func (w *writer) use(p place, s shape, st state) error {
	if w.epoch == st.epoch {
		return nil
	}
	f, err := openFiles(p, s, st, 0)
	if err != nil {
		return explainOS("opening the files", err)
	}
	err = w.files.close()
	w.files, w.epoch = f, st.epoch
	return err
}

func (w *writer) close() error {
	var errs []error
	if w.rest != nil {
		w.rest.Stop()
	}
	if w.ledger != nil {
		errs = append(errs, w.ledger.close())
	}
	return errors.Join(append(errs, w.files.close(), w.lock.Close())...)
}

// append writes pieces to the files until there are no more, then syncs. After
// an error it cancels the making of more.
func (w *writer) append(pieces <-chan *piece, cancel context.CancelCauseFunc) error {
	var failed error
	for p := range pieces {
		for k, content := range p.files {
			if failed == nil {
				_, failed = w.files[k].WriteAt(content, p.offsets[k])
			}
		}
		if failed != nil {
			cancel(failed)
		}
	}
	if failed != nil {
		return failed
	}
	return w.files.sync()
}

// commit ends a transaction. Where it fails, the log may hold all of the transaction
// nevertheless, and who reads the log after a crash finds it committed: until then
// nothing that either outcome needs may be touched, so the writer is spent. Of what
// did not fit on the disk, the log lacks the end, and nobody will find it.
func (w *writer) commit(tx *sql.Tx) error {
	err := w.ledger.explain("committing", tx.Commit())
	switch {
	case err == nil:
		return nil
	case errors.Is(err, engine.ErrFull):
		_, _ = w.ledger.checkpoint() // so that the log lacks its beginning too
		return err
	}
	w.spent.Store(true)
	return fmt.Errorf("%w (%w)", engine.ErrSpent, err)
}

// Spent reports whether a write has failed so that nothing more is written: all
// writes fail with engine.ErrSpent until the collection is opened again. Reads go on.
func (c *Collection) Spent() bool { return c.writer != nil && c.writer.spent.Load() }

// writing runs f when it is the writer's turn.
func (c *Collection) writing(ctx context.Context, doing string, f func() error) error {
	return c.call(doing, func() error {
		if c.writer == nil {
			return engine.ErrReadOnly
		}
		return c.inTurn(ctx, f)
	})
}

// inTurn runs f when it is the writer's turn, unless nothing can be written any more.
func (c *Collection) inTurn(ctx context.Context, f func() error) error {
	return c.writer.turn.Do(ctx, func() error {
		if c.Spent() {
			return engine.ErrSpent
		}
		return f()
	})
}

// Upsert stores documents, in place of those that have their ids. It does so
// for all or for none, and when it returns they are on the disk. Batches of a
// few thousand are the fastest. A document that cannot be accepted is an
// *InputError; a full disk is ErrFull.
func (c *Collection) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	if err := engine.Check(docs, c.dim, nil); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return c.writing(ctx, doing, func() error {
		if len(docs) == 0 {
			return nil
		}
		return c.commit(ctx, func(ctx context.Context, b *batch) error {
			if err := b.store(ctx, docs); err != nil {
				return err
			}
			return b.checkQuota(ctx, len(docs))
		})
	})
}

// reserveName is a file that only takes space. Deleting writes to the ledger, too: where
// the disk is full, this file is removed first, so that space can be freed at all.
const (
	reserveName  = "reserve"
	reserveBytes = 1 << 20
)

// keepReserve makes the reserve where there is none. What fails is tried again after the
// next write.
func (c *Collection) keepReserve() {
	if _, err := c.disk.Stat(c.path(reserveName)); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	f, err := c.file(reserveName, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return
	}
	_, err = f.Write(make([]byte, reserveBytes))
	if err = errors.Join(err, f.Close()); err != nil {
		_ = c.disk.Remove(c.path(reserveName)) // less than the reserve is of no use
	}
}

// Delete removes the documents that have the given ids, all at once, and returns how many
// there were. Their vectors stay in the files until Compact. It succeeds on a full disk
// once, if the collection has been written to for a while.
func (c *Collection) Delete(ctx context.Context, ids []string) (deleted int, err error) {
	err = c.writing(ctx, "deleting documents", func() error {
		if len(ids) == 0 {
			return nil
		}
		remove := func() error {
			return c.commit(ctx, func(ctx context.Context, b *batch) (err error) {
				deleted, err = b.remove(ctx, ids)
				return err
			})
		}
		err := remove()
		if errors.Is(err, engine.ErrFull) && c.disk.Remove(c.path(reserveName)) == nil {
			err = remove()
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}

// commit runs fill, which may append to the files and change the ledger, and
// commits what it did or leaves everything as it was. The turn is the caller's.
func (c *Collection) commit(ctx context.Context, fill func(context.Context, *batch) error) error {
	before, err := c.latest(ctx)
	if err != nil {
		return err
	}
	defer c.release(before)
	if err := before.reach(c.writer.files); err != nil {
		return err
	}
	if err := c.transact(ctx, before, fill); err != nil {
		if c.Spent() {
			return err
		}
		return errors.Join(err, c.writer.files.cut(c.lengths(before.state)))
	}
	s, err := c.latest(context.WithoutCancel(ctx))
	if err != nil {
		return fmt.Errorf("committed, but not yet visible here: %w", err)
	}
	c.release(s)
	return nil
}

// latest is the snapshot of what the ledger says now, which thereby becomes
// the current one, with the writer's files being those it is made of. The caller
// releases it.
func (c *Collection) latest(ctx context.Context) (*snapshot, error) {
	v, err := c.view(ctx)
	if err != nil {
		return nil, err
	}
	s := v.detach()
	if err := c.writer.use(c.place, c.shape, s.state); err != nil {
		c.release(s)
		return nil, err
	}
	return s, nil
}

// transact does not go by ctx inside of SQLite: its driver would start a
// goroutine for each statement.
func (c *Collection) transact(ctx context.Context, before *snapshot, fill func(context.Context, *batch) error) error {
	l := c.writer.ledger
	tx, err := l.db.Begin()
	if err != nil {
		return l.explain("beginning a transaction", err)
	}
	defer tx.Rollback()
	st, err := prepare(tx)
	if err != nil {
		return l.explain("preparing the ledger", err)
	}
	b := &batch{statements: st, c: c, before: before, state: before.state}
	b.generation++
	if err := fill(ctx, b); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.state.write(b.tx); err != nil {
		return l.explain("writing the state", err)
	}
	if err := c.writer.commit(tx); err != nil {
		return err
	}
	c.later()
	return nil
}
