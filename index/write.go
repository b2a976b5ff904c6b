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
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// writer is the state of the process that holds the lock.
type writer struct {
	lock       disk.File
	ledger     *ledger
	files      files
	epoch      int           // of the files
	turn       workers.Slots // capacity 1: one commit at a time
	compacting workers.Slots // capacity 1
	rest       *time.Timer   // delays the checkpoint of the log; nil until the first write
	spent      atomic.Bool   // a commit has failed; see commit
}

// clear truncates the remains of an unfinished batch and removes those of an unfinished
// Compact.
func (w *writer) clear(p place, s shape, st state) error {
	if err := w.use(p, s, st); err != nil {
		return err
	}
	// SQLite syncs the directory entry of its log too, but does not report failure.
	if err := p.syncDir(); err != nil {
		return explainOS("syncing the directory", err)
	}
	// The creator may have failed to sync the directory's own name. Without permission to
	// read the parent directory, this process cannot.
	if err := p.disk.SyncDir(filepath.Dir(p.dir)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return explainOS("syncing the directory above", err)
	}
	if err := w.files.cut(s.lengths(st)); err != nil {
		return explainOS("cutting the files", err)
	}
	return sweep(p, s, st.epoch)
}

// use switches the writer to the files of a state's epoch.
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

// append writes pieces to the files until the channel is closed, then syncs. After an
// error it cancels the producer.
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

// commit ends a transaction. If it fails, the log may still contain the whole
// transaction, and a reader of the log after a crash would find it committed. Until that
// is settled nothing that either outcome needs may be changed, so the writer is spent. If
// the disk was full, the log lacks the end of the transaction, which therefore never
// takes effect.
func (w *writer) commit(tx *sql.Tx) error {
	err := w.ledger.explain("committing", tx.Commit())
	switch {
	case err == nil:
		return nil
	case errors.Is(err, engine.ErrFull):
		_, _ = w.ledger.checkpoint() // overwrites the start of the transaction in the log too
		return err
	}
	w.spent.Store(true)
	return fmt.Errorf("%w (%w)", engine.ErrSpent, err)
}

// Spent reports whether a failed commit has made the collection read-only: writes return
// engine.ErrSpent until it is reopened. Reads continue.
func (c *Collection) Spent() bool { return c.writer != nil && c.writer.spent.Load() }

// writing runs f while holding the writer's turn.
func (c *Collection) writing(ctx context.Context, doing string, f func() error) error {
	return c.call(doing, func() error {
		if c.writer == nil {
			return engine.ErrReadOnly
		}
		return c.inTurn(ctx, f)
	})
}

// inTurn runs f while holding the writer's turn, or fails if the writer is spent.
func (c *Collection) inTurn(ctx context.Context, f func() error) error {
	return c.writer.turn.Do(ctx, func() error {
		if c.Spent() {
			return engine.ErrSpent
		}
		return f()
	})
}

// Upsert stores documents, replacing those with the same ids. It stores all or none, and
// they are on disk when it returns. Batches of a few thousand are fastest. It returns an
// *InputError for an invalid document, and ErrFull if the disk is full.
func (c *Collection) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	if err := storekit.Check(docs, c.dim, nil); err != nil {
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

// reserveName is a file that only takes space. Deleting writes to the ledger, too: on a
// full disk, this file is removed first to make room for that.
const (
	reserveName  = "reserve"
	reserveBytes = 1 << 20
)

// keepReserve creates the reserve if it does not exist. If that fails, the next write tries
// again.
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
		_ = c.disk.Remove(c.path(reserveName)) // a partial reserve is useless
	}
}

// Delete removes the documents with the given ids atomically, and returns how many
// existed. Their vectors stay in the files until Compact. On a full disk it succeeds once,
// if an earlier write has created the reserve.
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

// commit runs fill, which may append to the files and change the ledger, and commits its
// changes or reverts everything. The caller must hold the writer's turn.
func (c *Collection) commit(ctx context.Context, fill func(context.Context, *batch) error) error {
	before, err := c.latest(ctx)
	if err != nil {
		return err
	}
	defer c.release(before)
	if err := before.checkLengths(c.writer.files); err != nil {
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

// latest publishes the snapshot of the ledger's current state, points the writer at its
// files, and returns it. The caller must release it.
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

// transact does not pass ctx to SQLite: the driver would start a goroutine for each
// statement.
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
	c.checkpointLater()
	return nil
}
