package index

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors that a caller may want to tell apart. They come wrapped.
var (
	ErrNotFound      = errors.New("no such document")
	ErrExists        = errors.New("there is a collection already")
	ErrNotCollection = errors.New("not a collection")
	ErrLocked        = errors.New("the collection is open for writing elsewhere, in another process or in this one")
	ErrReadOnly      = errors.New("the collection is open for reading only")
	ErrClosed        = errors.New("the collection is closed")
	ErrFull          = errors.New("no space left on the disk")
)

// InputError says that something handed to the package cannot be accepted.
// Nothing was written.
type InputError struct {
	What    string // the document, the query vector, the option
	Problem string
}

func (e *InputError) Error() string { return e.What + ": " + e.Problem }

// MismatchError says that a collection was made for something else than what it
// was opened with.
type MismatchError struct {
	Dir, What, Stored, Given string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("opening %s: the collection was made with %s %s, not with %s", e.Dir, e.What, e.Stored, e.Given)
}

// FormatError says that a collection was written by a newer version.
type FormatError struct {
	Dir              string
	Found, Supported int
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("opening %s: the collection has format %d, this version reads up to %d", e.Dir, e.Found, e.Supported)
}

// Damage is a part of a collection that is not as it was written.
type Damage struct {
	File           string   // its name in the collection's directory
	Offset, Length int64    // where in it, in bytes; 0 and 0 when the ledger is damaged
	Documents      []string // the ids of those affected, where they are known
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

// DamageError says that a collection cannot be used because of damage. Verify
// finds all of it.
type DamageError struct {
	Dir string
	Damage
}

func (e *DamageError) Error() string { return e.Dir + " is damaged: " + e.Damage.String() }

// explain turns what the operating system and SQLite say into the errors of
// this package, where it has one.
func (l *ledger) explain(doing string, err error) error {
	var s *sqlite.Error
	if errors.As(err, &s) {
		switch s.Code() & 0xff {
		case sqlite3.SQLITE_FULL:
			return fmt.Errorf("%s: %w (%w)", doing, ErrFull, err)
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return fmt.Errorf("%s: %w", doing, &DamageError{l.dir, Damage{File: ledgerName, Problem: err.Error()}})
		}
	}
	return explainOS(doing, err)
}

func explainOS(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%s: %w (%w)", doing, ErrFull, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%s: the directory cannot be written to: %w", doing, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
