package cache

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// begin opens the newest file, from a number on, or makes it. It returns what
// there is to tell. c.mu is held.
func (c *Cache) begin(ctx context.Context, number int) (told []error) {
	s, used, err := openStore(ctx, c.dir, number, c.patience)
	switch {
	case err == nil:
		c.store = s
		c.bytes.Store(used)
	case damaged(err):
		told = c.replace(ctx, s.number, err)
	default:
		told = []error{c.explain(err)}
	}
	return told
}

// replace begins a new file after one that is damaged.
func (c *Cache) replace(ctx context.Context, number int, err error) (told []error) {
	if c.renewals++; c.renewals > maxRenewals {
		return []error{fmt.Errorf("the cache of vectors in %s was damaged %d times, encoding goes on without it; check the disk: %w", c.dir, c.renewals, err)}
	}
	return append([]error{fmt.Errorf("the cache of vectors in %s is damaged and begun anew: %w", c.dir, err)}, c.begin(ctx, number+1)...)
}

func (c *Cache) explain(err error) error {
	if busy(err) {
		return fmt.Errorf("the cache of vectors in %s was locked for %s, encoding goes on without it; see what other process holds it: %w", c.dir, c.patience, err)
	}
	return fmt.Errorf("the cache of vectors in %s cannot be used, encoding goes on without it; check the directory and the disk: %w", c.dir, err)
}

// tell is called without c.mu, since the one who is told may call Stats.
func (c *Cache) tell(told []error) {
	if len(told) == 0 {
		return
	}
	c.mu.Lock()
	c.trouble = told[len(told)-1]
	c.mu.Unlock()
	if c.options.OnTrouble == nil {
		return
	}
	for _, err := range told {
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
