package workspace

import (
	"fmt"
	"regexp"
)

// Kind is what kind of refusal an Error is.
type Kind string

// The kinds.
const (
	Invalid     Kind = "invalid"     // what was asked for has no meaning
	NotFound    Kind = "not_found"   // there is no such collection
	Exists      Kind = "exists"      // there is one already
	ReadOnly    Kind = "read_only"   // it cannot be changed here
	Unavailable Kind = "unavailable" // it is there, and does not answer now
)

// Error is a refusal in words that a client may read. What caused it may name files
// and addresses, and is for a log.
type Error struct {
	Kind    Kind
	Message string
	Cause   error
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Cause }

func refuse(kind Kind, message string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(message, args...)}
}

func (e *Error) because(cause error) *Error {
	e.Cause = cause
	return e
}

func noCollection(name string) error { return refuse(NotFound, "there is no collection %q", name) }

// NameForm is what the name of a collection looks like, a regular expression.
const NameForm = `^[a-z0-9][a-z0-9_-]{0,63}$`

var nameForm = regexp.MustCompile(NameForm)

// NameRule says in words what a collection may be called.
const NameRule = "a name has lower-case letters, digits, - and _, at most 64, and begins with a letter or a digit"

// IsName reports whether a collection may be called so.
func IsName(name string) bool { return nameForm.MatchString(name) }
