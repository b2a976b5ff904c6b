package engine

import (
	"errors"
	"fmt"
)

// Errors that a caller may want to distinguish. They come wrapped.
var (
	ErrNotFound      = errors.New("no such document")
	ErrNotCollection = errors.New("not a collection")
	ErrLocked        = errors.New("the collection is open for writing elsewhere, in another process or in this one")
	ErrReadOnly      = errors.New("the collection is open for reading only")
	ErrClosed        = errors.New("the collection is closed")
	ErrFull          = errors.New("no space left on the disk")
	ErrUnwritable    = errors.New("the directory cannot be written to")
	ErrSpent         = errors.New("a write has failed, and whether it is on the disk is not known; close the collection and open it again")
)

// InputError means that a store cannot accept an input. Nothing was written.
type InputError struct {
	What    string // the document, the query vector, the option
	Problem string
}

func (e *InputError) Error() string { return e.What + ": " + e.Problem }

// BadInput is an *InputError.
func BadInput(what, problem string, args ...any) error {
	return &InputError{what, fmt.Sprintf(problem, args...)}
}

// MismatchError means that a collection was created with different settings than it was opened
// with.
type MismatchError struct {
	Dir, What, Stored, Given string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("opening %s: the collection was made with %s %s, not with %s", e.Dir, e.What, e.Stored, e.Given)
}

// FormatError means that a newer version wrote the collection.
type FormatError struct {
	Dir              string
	Found, Supported int
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("opening %s: the collection has format %d, this version reads up to %d", e.Dir, e.Found, e.Supported)
}
