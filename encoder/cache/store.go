package cache

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// store is one SQLite file. Its rows form a queue: ids grow, so the rows written or moved
// last are at the end, and eviction takes whole pages from the front.
type store struct {
	db       *sql.DB
	get      *sql.Stmt
	patience time.Duration // how long to wait for other processes
	turn     workers.Slots // one slot: this process has one writer at a time
}

// Pages are large because a vector that does not fit next to the others of a page wastes
// the rest of the page.
const (
	pageSize = 16 << 10
	schema   = `CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)`
	lookUp   = `SELECT id, value FROM entries WHERE key = ?`
)

// fileName contains the version of the tables and values. Another version uses another
// file, so different releases of the program do not interfere.
const fileName = "vectors-1.0.db"

// openStore opens or creates the file in a directory.
func openStore(ctx context.Context, dir string, patience time.Duration) (s *store, used int64, err error) {
	s = &store{patience: patience, turn: make(workers.Slots, 1)}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, 0, err
	}
	name, err := sourceName(filepath.Join(dir, fileName))
	if err != nil {
		return nil, 0, err
	}
	if s.db, err = sql.Open("sqlite", name); err != nil {
		return nil, 0, err
	}
	s.db.SetMaxOpenConns(8)
	s.db.SetMaxIdleConns(2)
	err = s.retryBusy(ctx, func() (err error) {
		used, err = s.prepare(ctx)
		return err
	})
	if err != nil {
		_ = s.close() // the first error matters
	}
	return s, used, err
}

// prepare creates the table in a new file and switches on its settings.
func (s *store) prepare(ctx context.Context) (used int64, err error) {
	var tables int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'entries'`).Scan(&tables); err != nil {
		return 0, err
	}
	if tables == 0 {
		// The order matters: page_size and auto_vacuum must come before the first write.
		create := fmt.Sprintf(`PRAGMA page_size = %d; PRAGMA auto_vacuum = incremental; PRAGMA journal_mode = WAL; %s`, pageSize, schema)
		if _, err := s.db.ExecContext(ctx, create); err != nil {
			return 0, err
		}
	}
	if s.get, err = s.db.PrepareContext(ctx, lookUp); err != nil {
		return 0, err
	}
	used, _, err = pages(ctx, s.db)
	return used, err
}

func sourceName(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	// NORMAL: a power failure may lose the last second of work.
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(50)", "synchronous(NORMAL)", "wal_autocheckpoint(256)", "journal_size_limit(8388608)",
	}}
	name := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/"), RawQuery: q.Encode()}
	return name.String(), nil
}

func (s *store) close() error {
	var errs []error
	if s.get != nil {
		errs = append(errs, s.get.Close())
	}
	return errors.Join(append(errs, s.db.Close())...)
}

// retryBusy retries do while other processes hold the lock. SQLite's own busy timeout
// would ignore the context.
func (s *store) retryBusy(ctx context.Context, do func() error) error {
	for began := time.Now(); ; {
		err := do()
		if !busy(err) || time.Since(began) > s.patience {
			return err
		}
		if err := retry.Sleep(ctx, rand.N(10*time.Millisecond)); err != nil {
			return err
		}
	}
}

// find sets the vectors of the stored entries and returns the keys of those that have
// aged: in a file more than half full, all but the newest quarter. Moving just these to the
// end approximates the order of use, and needs a write only occasionally.
func (s *store) find(ctx context.Context, entries []entry, dim int, limit int64) (aged []key, err error) {
	err = s.retryBusy(ctx, func() (err error) {
		aged, err = s.read(ctx, entries, dim, limit)
		return err
	})
	return aged, err
}

func (s *store) read(ctx context.Context, entries []entry, dim int, limit int64) (aged []key, err error) {
	var oldest, newest int64
	used, _, err := pages(ctx, s.db)
	if err == nil && used > limit/2 {
		// Two subqueries: min and max in one query would read every row.
		err = s.db.QueryRowContext(ctx, `SELECT ifnull((SELECT min(id) FROM entries), 0), ifnull((SELECT max(id) FROM entries), 0)`).Scan(&oldest, &newest)
	}
	if err != nil {
		return nil, err
	}
	young := newest - (newest-oldest)/4
	for i := range entries {
		// Not sql.RawBytes: database/sql holds a lock from Scan to the next call on
		// the rows, and deadlocks when the context is cancelled in between.
		var id int64
		var value []byte
		err := s.get.QueryRowContext(ctx, entries[i].key[:]).Scan(&id, &value)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			continue
		case err != nil:
			return nil, err
		case !entries[i].setValue(value, dim):
			return nil, errDamaged
		case id < young:
			aged = append(aged, entries[i].key)
		}
	}
	return aged, nil
}

// keep writes entries, moves aged ones to the end, and evicts. It returns the number of
// bytes in use.
func (s *store) keep(ctx context.Context, fresh []entry, aged []key, limit int64) (used int64, err error) {
	err = s.turn.Do(ctx, func() error {
		return s.retryBusy(ctx, func() (err error) {
			used, err = s.write(ctx, fresh, aged, limit)
			return err
		})
	})
	return used, err
}

func (s *store) write(ctx context.Context, fresh []entry, aged []key, limit int64) (used int64, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	move, err := tx.PrepareContext(ctx, `UPDATE entries SET id = (SELECT max(id) FROM entries) + 1 WHERE key = ?`)
	if err != nil {
		return 0, err
	}
	for _, k := range aged {
		if _, err := move.ExecContext(ctx, k[:]); err != nil {
			return 0, err
		}
	}
	add, err := tx.PrepareContext(ctx, `INSERT INTO entries (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING`)
	if err != nil {
		return 0, err
	}
	for _, e := range fresh {
		if _, err := add.ExecContext(ctx, e.key[:], e.value()); err != nil {
			return 0, err
		}
	}
	if used, err = evict(ctx, tx, limit); err != nil {
		return 0, err
	}
	return used, tx.Commit()
}
