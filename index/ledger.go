package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	_ "modernc.org/sqlite" // registers the driver
)

// FormatVersion is the version of the ledger and the flat files together. Earlier formats
// were never released.
const FormatVersion = 4

// metric is the only supported metric. It is stored to allow others later.
const metric = "cosine"

// schema of the ledger. documents has live documents only. entries keeps the rows of dead
// ones until Compact, because no index finds them by ordinal.
const schema = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE state (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	generation INTEGER NOT NULL, epoch INTEGER NOT NULL,
	slots INTEGER NOT NULL, rows INTEGER NOT NULL, id_bytes INTEGER NOT NULL,
	last_ordinal INTEGER NOT NULL, word_pieces INTEGER NOT NULL,
	tombstone_sum INTEGER NOT NULL, document_sum INTEGER NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE documents (
	ordinal INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
	title TEXT NOT NULL, text TEXT NOT NULL, passages TEXT, metadata TEXT,
	checksum INTEGER NOT NULL
);
CREATE TABLE entries (
	field TEXT NOT NULL, value NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL,
	PRIMARY KEY (field, value, ordinal, text)
) WITHOUT ROWID;
CREATE TABLE tombstones (
	generation INTEGER NOT NULL, ordinal INTEGER NOT NULL,
	PRIMARY KEY (generation, ordinal)
) WITHOUT ROWID;
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
`

// ledger is the SQLite database of a collection.
type ledger struct {
	place
	db *sql.DB
}

// queryer is a connection, a transaction or a pool.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// eachRow scans each row of a query into to and calls f.
func eachRow(ctx context.Context, q queryer, to []any, f func(), query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		f()
	}
	return rows.Err()
}

// access is the mode a ledger is opened in.
type access int

const (
	forReading access = iota
	forWriting
	forCreating
)

func openLedger(p place, a access) (*ledger, error) {
	path, err := filepath.Abs(p.path(ledgerName))
	if err != nil {
		return nil, err
	}
	if err := p.checkRegular(ledgerName, logName, ledgerName+"-shm"); err != nil {
		return nil, err
	}
	q := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTime), "trusted_schema(OFF)"}}
	if vfs := p.disk.VFS(); vfs != "" {
		q.Set("vfs", vfs)
	}
	switch a {
	case forReading:
		q.Set("mode", p.readMode(q))
	case forWriting, forCreating:
		q.Set("mode", "rw")
		if a == forCreating {
			q.Set("mode", "rwc")
			q.Add("_pragma", "auto_vacuum(incremental)")
		}
		// Order matters: auto_vacuum must come before any write.
		q.Add("_pragma", "journal_mode(WAL)")
		q.Add("_pragma", "synchronous(FULL)")
		q.Add("_pragma", fmt.Sprintf("wal_autocheckpoint(%d)", logPages))
		q.Add("_pragma", "cache_size(-65536)")
		q.Set("_txlock", "immediate")
	}
	name := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/"), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	if a == forReading {
		db.SetMaxOpenConns(16)
		db.SetMaxIdleConns(4)
	} else {
		db.SetMaxOpenConns(1)
	}
	return &ledger{p, db}, nil
}

// readMode returns how SQLite opens the ledger for reading. SQLite keeps an index of the
// log in shared memory, so even readers need write access to the directory. Without it
// and without a log, the file can be read as it is. If no other process has the ledger
// open, the index can live in memory and locks are unnecessary. The last process with
// write access to close the ledger checkpoints and removes the log; a log left behind is
// left to the next writer.
func (p place) readMode(q url.Values) string {
	log, err := p.disk.Stat(p.path(logName))
	none := errors.Is(err, fs.ErrNotExist)
	_, err = p.disk.Stat(p.path(ledgerName + "-shm"))
	switch alone := errors.Is(err, fs.ErrNotExist) || onReadOnlyDisk(p.dir); {
	case writable(p.dir) && (none || log != nil && log.Size() == 0):
		return "rw"
	case writable(p.dir):
	case none:
		q.Set("immutable", "1")
	case alone:
		q.Set("vfs", noLocks)
		q.Add("_pragma", "locking_mode(EXCLUSIVE)")
	}
	return "ro"
}

func (l *ledger) close() error { return l.db.Close() }

// plainTable matches a table without columns that are computed. Constraints, defaults and
// such columns cannot have queries; views, triggers and virtual tables can run for ever or
// change other tables.
var plainTable = regexp.MustCompile(`(?i)^CREATE TABLE "?(settings|state|documents|entries|tombstones|notes)"? ?\(`)

// checkSchema compares what the ledger holds with what a ledger may: the tables of a
// collection and the indexes of their keys. It reports whether there is a collection.
func (l *ledger) checkSchema(ctx context.Context) (found bool, err error) {
	var kind, name string
	var text sql.NullString
	var strange error
	err = eachRow(ctx, l.db, []any{&kind, &name, &text}, func() {
		match := plainTable.FindStringSubmatch(text.String)
		isTable := kind == "table" && match != nil && strings.EqualFold(match[1], name) && !computed.MatchString(text.String)
		if isKey := kind == "index" && !text.Valid; !isTable && !isKey && !strings.HasPrefix(name, "sqlite_stat") {
			strange = &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("it has the %s %.40q, which no collection has", kind, name)}}
		}
		found = found || strings.EqualFold(name, "settings")
	}, `SELECT type, name, sql FROM sqlite_schema`)
	if err == nil && found {
		err = strange
	}
	return found, l.explain("reading the ledger", err)
}

var computed = regexp.MustCompile(`(?i)\bgenerated\b|\bas\s*\(`)
