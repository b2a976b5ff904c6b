package vectors

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Kinds of errors. An Error wraps one of them.
var (
	ErrFormat    = errors.New("not a file of this format, or of a kind that is not read")
	ErrTruncated = errors.New("the file ends too early")
	ErrTrailing  = errors.New("the file goes on after its last row")
	ErrEmpty     = errors.New("there are no rows")
	ErrDimension = errors.New("vectors of different or impossible dimensions")

	// After these two the reader continues with the next row.
	ErrNotFinite = errors.New("a number is NaN, infinite or too large for float32")
	ErrZero      = errors.New("a vector is zero and has no direction")
)

// Error describes a problem with a file, its position and how to fix it.
type Error struct {
	Op      string // reading or writing
	File    string
	Row     int64 // counted from 0; -1: the file as a whole
	Offset  int64 // the byte at which the row begins; -1: not known
	Line    int64 // counted from 1, in files of lines; 0: none
	Kind    error // one of the errors above
	Problem string
	Cause   error // error of a library, or nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op + " " + e.File + ": ")
	if e.Row >= 0 {
		fmt.Fprintf(&b, "row %d", e.Row)
		switch {
		case e.Line > 0:
			fmt.Fprintf(&b, " (line %d)", e.Line)
		case e.Offset >= 0:
			fmt.Fprintf(&b, " (byte %d)", e.Offset)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Problem)
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	return b.String()
}

func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// bad returns an error; the reader or writer adds the file and the place.
func bad(kind error, format string, args ...any) *Error {
	return &Error{Row: -1, Offset: -1, Kind: kind, Problem: fmt.Sprintf(format, args...)}
}

// complete adds the operation and the position to an error.
func complete(err error, op, path string, row int64, where place) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		e.Op, e.File, e.Row, e.Offset, e.Line = op, path, row, where.offset, where.line
		return e
	case row >= 0:
		return fmt.Errorf("%s %s: row %d: %w", op, path, row, err)
	}
	return fmt.Errorf("%s %s: %w", op, path, err)
}

// because adds the cause, but never io.EOF, which would look like the end of the rows.
func (e *Error) because(cause error) *Error {
	if errors.Is(cause, io.EOF) {
		cause = io.ErrUnexpectedEOF
	}
	e.Cause = cause
	return e
}

// orBad returns err if it is an Error, and otherwise an Error caused by err.
func orBad(err error, format string, args ...any) error {
	if known := (*Error)(nil); err == nil || errors.As(err, &known) {
		return err
	}
	return bad(ErrFormat, format, args...).because(err)
}

// goesOn reports whether an error concerns one row only.
func goesOn(err error) bool {
	return errors.Is(err, ErrNotFinite) || errors.Is(err, ErrZero)
}

// some lists the first of many.
func some[S ~string](names []S) string {
	const shown = 10
	var out []string
	for _, n := range names[:min(len(names), shown)] {
		out = append(out, clip(string(n)))
	}
	if len(names) > shown {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

func clip(name string) string {
	const longest = 60
	if runes := []rune(name); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return name
}
