package index

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/nsfl-go/nsfl/engine"
)

// ErrExists means that a directory already holds a collection.
var ErrExists = errors.New("there is a collection already")

// Damage describes a part of a collection that is not as written.
type Damage struct {
	File           string   // name in the collection's directory
	Offset, Length int64    // position in bytes; both 0 if the ledger is damaged
	Documents      []string // ids of the affected documents, where known
	Problem        string
}

func (d Damage) String() string {
	var b strings.Builder
	b.WriteString(d.File)
	if d.Length > 0 {
		fmt.Fprintf(&b, " at %d, %d bytes", d.Offset, d.Length)
	}
	b.WriteString(": " + d.Problem)
	if n := len(d.Documents); n > 0 {
		const shown = 5
		fmt.Fprintf(&b, "; documents %q", d.Documents[:min(n, shown)])
		if n > shown {
			fmt.Fprintf(&b, " and %d more", n-shown)
		}
	}
	return b.String()
}

// DamageError reports that a collection cannot be used because it is damaged. Verify
// lists all damage.
type DamageError struct {
	Dir string
	Damage
}

func (e *DamageError) Error() string { return e.Dir + " is damaged: " + e.Damage.String() }

// explain adds the current operation, and maps errors of the operating system and SQLite to
// this package's errors where one fits.
func (l *ledger) explain(doing string, err error) error { return annotate(doing, l.classify(err)) }

// explainOS is explain for errors that do not come from SQLite.
func explainOS(doing string, err error) error { return annotate(doing, classifyOS(err)) }

// annotate prefixes an error with the current operation.
func annotate(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func (l *ledger) classify(err error) error {
	var s *sqlite.Error
	if errors.As(err, &s) {
		switch s.Code() & 0xff {
		case sqlite3.SQLITE_FULL:
			return fmt.Errorf("%w (%w)", engine.ErrFull, err)
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return &DamageError{l.dir, Damage{File: ledgerName, Problem: err.Error()}}
		}
	}
	return classifyOS(err)
}

// linkAdvice is the advice for a file that is a symbolic link: writes to a collection must
// not end up elsewhere.
const linkAdvice = "it is a symbolic link; replace it with the file itself"

func classifyOS(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w (%w)", engine.ErrFull, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", engine.ErrUnwritable, err)
	case errors.Is(err, syscall.ELOOP):
		return fmt.Errorf("%w; %s", err, linkAdvice)
	}
	return err
}
