package workspace

import (
	"fmt"
	"regexp"
)

// Kind classifies an Error.
type Kind string

// Kinds.
const (
	Invalid     Kind = "invalid"     // the request makes no sense
	NotFound    Kind = "not_found"   // no such collection
	Exists      Kind = "exists"      // the collection already exists
	ReadOnly    Kind = "read_only"   // it cannot be changed here
	Unavailable Kind = "unavailable" // it exists but is not reachable now
)

// Error is a rejection whose message may be shown to clients. Its cause may name files
// and addresses, and is for the log.
type Error struct {
	Kind    Kind
	Message string
	Cause   error
}

// Explained marks an error that already has a message for clients.
type Explained interface{ Explained() }

func (e *Error) Error() string { return e.Message }

// Explained implements Explained.
func (e *Error) Explained() {}

func (e *Error) Unwrap() error { return e.Cause }

func reject(kind Kind, message string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(message, args...)}
}

func (e *Error) because(cause error) *Error {
	e.Cause = cause
	return e
}

func noCollection(name string) error { return reject(NotFound, "there is no collection %q", name) }

// NameForm is the regular expression for collection names.
const NameForm = `^[a-z0-9][a-z0-9_-]{0,63}$`

var nameForm = regexp.MustCompile(NameForm)

// NameRule describes valid collection names.
const NameRule = "a name consists of up to 64 lower-case letters, digits, - and _, and starts with a letter or digit"

// IsName reports whether name is a valid collection name.
func IsName(name string) bool { return nameForm.MatchString(name) }
