package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// keptName is the subdirectory for data in doubt. The program never reads it; it is for
// people.
const keptName = "kept"

// Notices returns messages for the user that opened the collection, one sentence each.
func (c *Collection) Notices() []string { return c.notices }

// keep saves the log and any uncommitted file contents if the log ends in an incomplete
// batch: it cannot be known whether that batch was acknowledged.
func (c *Collection) keep(ctx context.Context) error {
	if c.log.sound() {
		return nil
	}
	st, err := c.ledger.readState(ctx, c.ledger.db)
	if err != nil {
		return err
	}
	to, err := c.keptPlace()
	if err != nil {
		return err
	}
	if err := c.copyRest(ctx, logName, 0, to); err != nil {
		return err
	}
	lengths := c.lengths(st)
	for k := range fileKinds {
		if err := c.copyRest(ctx, c.fileName(k, st.epoch), lengths[k], to); err != nil {
			return err
		}
	}
	if err := errors.Join(to.syncDir(), c.disk.SyncDir(filepath.Dir(to.dir)), c.syncDir()); err != nil {
		return classifyOS(err)
	}
	c.notices = append(c.notices, fmt.Sprintf("the last batch in the log of %s was incomplete and has been dropped; its remains are kept in %s, which can be deleted if nothing is missing", c.dir, to.dir))
	return nil
}

// keptPlace creates the next directory for data in doubt.
func (c *Collection) keptPlace() (place, error) {
	for n := 1; ; n++ {
		to := place{c.path(filepath.Join(keptName, strconv.Itoa(n))), c.disk}
		if _, err := c.disk.Stat(to.dir); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return to, err
		}
		return to, classifyOS(c.disk.MkdirAll(to.dir))
	}
}

// copyRest copies a file from an offset to its end, if not empty. The name of the copy
// includes the offset.
func (p place) copyRest(ctx context.Context, name string, from int64, to place) error {
	f, err := p.file(name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil || info.Size() <= from {
		return err
	}
	copied, err := to.file(fmt.Sprintf("%s@%d", name, from), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return classifyOS(err)
	}
	length := info.Size() - from
	_, err = io.Copy(copied, &cancelled{ctx, io.NewSectionReader(f, from, length)})
	if err == nil {
		err = copied.Sync()
	}
	return classifyOS(errors.Join(err, copied.Close()))
}
