package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/engine"
)

// Backup copies the collection, as it is at some moment during the call, to a
// directory that does not exist yet. Batches and searches go on meanwhile. The
// copy appears whole or not at all, and is itself a collection.
func (c *Collection) Backup(ctx context.Context, dir string) error {
	return c.call("copying the collection to "+dir, func() error { return c.ledger.known(c.backup(ctx, dir)) })
}

func (c *Collection) backup(ctx context.Context, dir string) (err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return engine.BadInput(dir, "it exists already")
	}
	partial, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".partial-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	if err := c.copyTo(ctx, partial); err != nil {
		return err
	}
	info, err := os.Stat(c.dir)
	if err != nil {
		return err
	}
	if err := os.Chmod(partial, info.Mode().Perm()); err != nil {
		return err
	}
	if err := errors.Join(c.disk.SyncDir(partial), c.disk.Rename(partial, dir)); err != nil {
		return err
	}
	return c.disk.SyncDir(filepath.Dir(dir))
}

// copyTo copies the ledger first, then as much of the files as it speaks of: they
// only grow. A Compact in between removes them, so they are held open before,
// and when the ledger turns out to speak of newer ones it is copied again.
func (c *Collection) copyTo(ctx context.Context, dir string) error {
	for {
		s, err := c.acquire(ctx)
		if err != nil {
			return err
		}
		st, err := c.copyLedger(ctx, dir)
		if err == nil && st.epoch == s.epoch {
			err = c.copyFiles(ctx, s, st, dir)
			c.release(s)
			return err
		}
		c.release(s)
		if err != nil {
			return err
		}
	}
}

// copyLedger copies the ledger and returns the state that the copy has.
func (c *Collection) copyLedger(ctx context.Context, dir string) (state, error) {
	path := filepath.Join(dir, ledgerName)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return state{}, err
	}
	if _, err := c.ledger.db.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return state{}, err
	}
	// For writing, so that the copy too keeps a log and lets readers go on.
	copied, err := openLedger(place{dir, c.disk}, forWriting)
	if err != nil {
		return state{}, err
	}
	st, err := copied.readState(ctx, copied.db)
	return st, errors.Join(err, copied.close(), copied.sync())
}

// sync brings a ledger that is closed to the disk.
func (l *ledger) sync() error {
	f, err := l.file(ledgerName, os.O_RDWR)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (c *Collection) copyFiles(ctx context.Context, s *snapshot, st state, dir string) error {
	to, err := openFiles(place{dir, c.disk}, c.shape, st, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	lengths := c.lengths(st)
	for k, file := range to {
		from := io.NewSectionReader(s.maps[k].file, 0, lengths[k])
		if err = copyContext(ctx, file, from, lengths[k]); err != nil {
			err = fmt.Errorf("copying %s: %w", c.fileName(fileKind(k), st.epoch), err)
			break
		}
	}
	if err == nil {
		err = to.sync()
	}
	return errors.Join(err, to.close())
}

// copyContext copies length bytes, in pieces so that it can be cancelled.
func copyContext(ctx context.Context, to io.Writer, from io.Reader, length int64) error {
	const piece = 4 << 20
	for length > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(to, from, min(length, piece))
		if err != nil {
			return err
		}
		length -= n
	}
	return nil
}
