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

// explain says what was being done, and turns what the operating system and SQLite
// say into the errors of this package, where it has one.
func (l *ledger) explain(doing string, err error) error { return saying(doing, l.known(err)) }

// explainOS is explain for what has nothing to do with SQLite.
func explainOS(doing string, err error) error { return saying(doing, knownOS(err)) }

// saying adds to an error what was being done.
func saying(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func (l *ledger) known(err error) error {
	var s *sqlite.Error
	if errors.As(err, &s) {
		switch s.Code() & 0xff {
		case sqlite3.SQLITE_FULL:
			return fmt.Errorf("%w (%w)", engine.ErrFull, err)
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return &DamageError{l.dir, Damage{File: ledgerName, Problem: err.Error()}}
		}
	}
	return knownOS(err)
}

// linked says what to do about a file that is a link: what is written to a collection
// must not end up elsewhere.
const linked = "it is a symbolic link, and the files of a collection have to be its own; put the file itself there"

func knownOS(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w (%w)", engine.ErrFull, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", engine.ErrUnwritable, err)
	case errors.Is(err, syscall.ELOOP):
		return fmt.Errorf("%w; %s", err, linked)
	}
	return err
}
