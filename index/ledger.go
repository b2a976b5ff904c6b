package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // registers the driver

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/choices"
)

// FormatVersion is that of the ledger and the flat files together. Collections of
// older formats can be read; to be written to they are migrated.
const FormatVersion = 2

// formatWords is the first format that keeps the pieces of documents' words.
const formatWords = 2

// metric is the only one there is; it is stored so that another can come.
const metric = "cosine"

// schema. documents has the live ones only, entries also those of the dead
// until Compact, since nothing finds them by ordinal before that.
const schema = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE state (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	generation INTEGER NOT NULL, epoch INTEGER NOT NULL,
	slots INTEGER NOT NULL, rows INTEGER NOT NULL, id_bytes INTEGER NOT NULL,
	last_ordinal INTEGER NOT NULL, word_pieces INTEGER NOT NULL
);
INSERT INTO state VALUES (1, 1, 1, 0, 0, 0, 0, 0);
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
CREATE TABLE means (epoch INTEGER PRIMARY KEY, mean BLOB NOT NULL);
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`

// state is what the ledger says is committed.
type state struct {
	format     int   // a reader may see a writer migrate the collection
	generation int64 // counts commits
	epoch      int   // counts compactions; names the flat files
	slots      int   // documents in the table, dead ones too
	rows       int
	idBytes    int64
	wordPieces int64
	last       Ordinal // the last that was given to a document
}

// spoken reports whether the pieces of documents' words are kept. They are not in a
// collection of format 1, as long as it is open for reading only.
func (st state) spoken() bool { return st.format >= formatWords }

// fileKinds is how many kinds of flat files there are: what a format adds comes last.
func (st state) fileKinds() fileKind {
	if st.spoken() {
		return fileKinds
	}
	return fileWords
}

// recordSize is the length of a record in the table.
func (st state) recordSize() int {
	if st.spoken() {
		return recordSize
	}
	return oldRecordSize
}

// settings are fixed when a collection is made.
type settings struct {
	shape
	encoder string
}

// ledger is the SQLite database of a collection.
type ledger struct {
	place
	db *sql.DB
}

// queryer is a connection, a transaction or the pool.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// eachRow calls f after each row of an answer was read to to.
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

// access is how a ledger is opened.
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
	q := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTime)}}
	if vfs := p.disk.VFS(); vfs != "" {
		q.Set("vfs", vfs)
	}
	switch a {
	case forReading:
		// Nothing is written, but VACUUM INTO would be refused under query_only.
		q.Set("mode", p.readMode(q))
	case forWriting, forCreating:
		q.Set("mode", "rw")
		if a == forCreating {
			q.Set("mode", "rwc")
			q.Add("_pragma", "auto_vacuum(incremental)")
		}
		// The order counts: auto_vacuum before anything is written.
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

// readMode is how SQLite opens the ledger for reading. It keeps an index of its
// log beside it, for which readers too need write access to the directory; where
// that is denied and no log is left to read, the file can be read as it is. Whoever
// may write to the ledger moves the log to it and removes the log when they are the
// last to close: one that somebody has left is left to the next writer.
func (p place) readMode(q url.Values) string {
	if writable(p.dir) {
		if info, err := p.disk.Stat(p.path(logName)); err == nil && info.Size() > 0 {
			return "ro"
		}
		return "rw"
	}
	if _, err := p.disk.Stat(p.path(logName)); errors.Is(err, fs.ErrNotExist) {
		q.Set("immutable", "1")
	}
	return "ro"
}

func (l *ledger) close() error { return l.db.Close() }

// initialize makes the tables and writes the settings, all or nothing.
func (l *ledger) initialize(ctx context.Context, s settings) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	for name, value := range map[string]any{
		"format": FormatVersion, "metric": metric, "dimension": s.dim, "codes": s.codes.String(), "encoder": s.encoder,
	} {
		if _, err := tx.ExecContext(ctx, `INSERT INTO settings VALUES (?, ?)`, name, value); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// readSettings fails with ErrNotCollection when there are none.
func (l *ledger) readSettings(ctx context.Context) (settings, error) {
	var s settings
	var tables int
	if err := l.db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'settings'`).Scan(&tables); err != nil {
		return s, l.explain("reading the ledger", err)
	}
	if tables == 0 {
		return s, engine.ErrNotCollection
	}
	values := map[string]string{}
	var name, value string
	if err := eachRow(ctx, l.db, []any{&name, &value}, func() { values[name] = value },
		`SELECT name, CAST(value AS TEXT) FROM settings`); err != nil {
		return s, l.explain("reading the settings", err)
	}
	return l.parseSettings(values)
}

func (l *ledger) parseSettings(values map[string]string) (settings, error) {
	damaged := func(name string) error {
		return &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("setting %s is %q", name, values[name])}}
	}
	var s settings
	format, err := strconv.Atoi(values["format"])
	if err != nil || format < 1 {
		return s, damaged("format")
	}
	if err := l.checkFormat(format); err != nil {
		return s, err
	}
	if values["metric"] != metric {
		return s, damaged("metric")
	}
	s.encoder = values["encoder"]
	if s.codes, err = choices.Find[Codes]("codes", codeNames, values["codes"]); err != nil {
		return s, damaged("codes")
	}
	if s.dim, err = strconv.Atoi(values["dimension"]); err != nil || s.dim < 1 || s.dim > s.codes.maxDimension() {
		return s, damaged("dimension")
	}
	return s, nil
}

func (l *ledger) checkFormat(format int) error {
	if format > FormatVersion {
		return &engine.FormatError{Dir: l.dir, Found: format, Supported: FormatVersion}
	}
	return nil
}

// selectState reads the state and the format in one statement, since a writer may
// migrate the collection between two. Format 1 has no column word_pieces: there the
// name means that of the inner query.
const selectState = `SELECT coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'format'), 0),
	generation, epoch, slots, rows, id_bytes, last_ordinal, (SELECT word_pieces FROM state)
	FROM state, (SELECT -1 AS word_pieces)`

func (l *ledger) readState(ctx context.Context, q queryer) (state, error) {
	var st state
	var last int64
	err := q.QueryRowContext(ctx, selectState).
		Scan(&st.format, &st.generation, &st.epoch, &st.slots, &st.rows, &st.idBytes, &last, &st.wordPieces)
	if err != nil {
		return st, l.explain("reading the state", err)
	}
	if err := l.checkFormat(st.format); err != nil {
		return st, err
	}
	st.last = Ordinal(last)
	counted := st.wordPieces >= 0
	st.wordPieces = max(st.wordPieces, 0)
	if st.format < 1 || counted != st.spoken() || st.wordPieces > math.MaxInt64/pieceSize || st.epoch < 1 || st.slots < 0 || st.rows < st.slots || int64(st.rows) > maxRows || st.idBytes < int64(st.slots) ||
		int64(st.slots) > last || last > math.MaxUint32 {
		err = &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("impossible state %+v", st)}}
	}
	return st, err
}

// readMean is the mean that the codes of an epoch are centred on.
func (l *ledger) readMean(ctx context.Context, q queryer, epoch, dim int) ([]float32, error) {
	var b []byte
	err := q.QueryRowContext(ctx, `SELECT mean FROM means WHERE epoch = ?`, epoch).Scan(&b)
	if errors.Is(err, sql.ErrNoRows) || err == nil && len(b) != 4*dim {
		err = &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("no mean of dimension %d for the codes", dim)}}
	}
	if err != nil {
		return nil, l.explain("reading the mean of the codes", err)
	}
	mean := make([]float32, dim)
	copy(cast[byte](mean), b)
	return mean, nil
}
