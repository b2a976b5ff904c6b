package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// openFile opens or creates the file, recreating a damaged one. It returns the error to
// report to OnTrouble.
func (c *Cache) openFile(ctx context.Context) (reported error) {
	s, used, err := openStore(ctx, c.dir, c.patience)
	if damaged(err) {
		c.remove()
		reported = fmt.Errorf("the cache of vectors in %s was damaged and has been recreated: %w", c.dir, err)
		s, used, err = openStore(ctx, c.dir, c.patience)
	}
	if err != nil {
		return c.explain(err)
	}
	c.store = s
	c.bytes.Store(used)
	return reported
}

// use calls do with the store unless the cache is disabled. An error from do disables the
// cache; a damaged file is also removed, so the next opening recreates it.
func (c *Cache) use(ctx context.Context, do func(*store) error) {
	c.mu.RLock()
	s := c.store
	var err error
	if s != nil {
		err = do(s)
	}
	c.mu.RUnlock()
	if err == nil || ctx.Err() != nil {
		return
	}
	c.mu.Lock()
	given := c.store == s // otherwise another call failed first, or the cache was closed
	if given {
		c.store = nil
		_ = s.close()
		if damaged(err) {
			c.remove()
		}
	}
	c.mu.Unlock()
	if given {
		c.report(c.explain(err))
	}
}

// remove removes the file and SQLite's auxiliary files. Processes that have it open
// continue with the old file; checksums protect them from damaged vectors.
func (c *Cache) remove() {
	for _, end := range []string{"-shm", "-wal", ""} {
		_ = os.Remove(filepath.Join(c.dir, fileName+end))
	}
}

func (c *Cache) explain(err error) error {
	if busy(err) {
		return fmt.Errorf("the cache of vectors in %s was locked for %s and is disabled; check which other process uses it: %w", c.dir, c.patience, err)
	}
	return fmt.Errorf("the cache of vectors in %s is unusable and disabled; check the directory and the disk: %w", c.dir, err)
}

// report must be called without holding c.mu, since OnTrouble may use the cache.
func (c *Cache) report(err error) {
	if err != nil && c.options.OnTrouble != nil {
		c.options.OnTrouble(err)
	}
}

// errDamaged reports damage that SQLite does not detect.
var errDamaged = errors.New("a vector has a wrong checksum")

func damaged(err error) bool {
	code := codeOf(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB || errors.Is(err, errDamaged)
}

func busy(err error) bool { return codeOf(err) == sqlite3.SQLITE_BUSY }

// codeOf returns SQLite's primary error code, or 0 for other errors.
func codeOf(err error) int {
	var s *sqlite.Error
	if errors.As(err, &s) {
		return s.Code() & 0xff
	}
	return 0
}
