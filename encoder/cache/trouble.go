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

// begin opens the file, or makes it. One that is damaged is begun anew. It returns
// what there is to tell.
func (c *Cache) begin(ctx context.Context) (told error) {
	s, used, err := openStore(ctx, c.dir, c.patience)
	if damaged(err) {
		c.remove()
		told = fmt.Errorf("the cache of vectors in %s is damaged and begun anew: %w", c.dir, err)
		s, used, err = openStore(ctx, c.dir, c.patience)
	}
	if err != nil {
		return c.explain(err)
	}
	c.store = s
	c.bytes.Store(used)
	return told
}

// use does something with the store, if there is one. After trouble there is none;
// a file that is damaged is removed, for the next who opens it.
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
	given := c.store == s // else another call has met the same trouble, or Close came between
	if given {
		c.store = nil
		_ = s.close()
		if damaged(err) {
			c.remove()
		}
	}
	c.mu.Unlock()
	if given {
		c.tell(c.explain(err))
	}
}

// remove removes the file and SQLite's own beside it. Others who have it open go on
// with what they have: a checksum tells them which vectors are sound.
func (c *Cache) remove() {
	for _, end := range []string{"-shm", "-wal", ""} {
		_ = os.Remove(filepath.Join(c.dir, fileName+end))
	}
}

func (c *Cache) explain(err error) error {
	if busy(err) {
		return fmt.Errorf("the cache of vectors in %s was locked for %s, encoding goes on without it; see what other process holds it: %w", c.dir, c.patience, err)
	}
	return fmt.Errorf("the cache of vectors in %s cannot be used, encoding goes on without it; check the directory and the disk: %w", c.dir, err)
}

// tell is called without c.mu, since the one who is told may use the cache.
func (c *Cache) tell(err error) {
	if err != nil && c.options.OnTrouble != nil {
		c.options.OnTrouble(err)
	}
}

// errDamaged is damage that SQLite does not see.
var errDamaged = errors.New("a vector is not as it was written")

func damaged(err error) bool {
	code := codeOf(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB || errors.Is(err, errDamaged)
}

func busy(err error) bool { return codeOf(err) == sqlite3.SQLITE_BUSY }

// codeOf is SQLite's code of an error without its refinement, 0 for other errors.
func codeOf(err error) int {
	var s *sqlite.Error
	if errors.As(err, &s) {
		return s.Code() & 0xff
	}
	return 0
}
