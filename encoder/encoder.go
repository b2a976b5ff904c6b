// Package encoder says what an encoder is: something that turns texts into unit
// vectors, and that can say who it is before it has encoded anything. Its
// folders hold the encoders themselves.
//
// It knows texts and vectors. Formulas, fusions, scores, documents and where
// vectors are kept are the business of others.
package encoder

import (
	"context"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Encoder turns texts into vectors. It is safe for concurrent use.
//
// A text's vector depends on the text and its role alone, to the last bit:
// never on what else was in the batch, its order or its size.
type Encoder interface {
	// Identity is known without encoding and never changes.
	Identity() Identity

	// Encode encodes texts in one role. It returns the context's error, and
	// nothing else, soon after the context is done.
	Encode(ctx context.Context, role Role, texts []string) (Encoded, error)
}

// Counter is an encoder that knows how long a text is to it before it encodes.
type Counter interface {
	// Tokens is how many tokens a text has, without those that are put around it: of
	// texts with white space between them together at least as many as of the whole.
	Tokens(text string) int

	// Room is how many tokens of a document or a passage are read, beside what is put
	// before and after it.
	Room() int
}

// CounterOf is what counts for an encoder, whatever is wrapped around it; nil where
// nothing does.
func CounterOf(e Encoder) Counter {
	for {
		if c, ok := e.(Counter); ok {
			return c
		}
		w, ok := e.(interface{ Unwrap() Encoder })
		if !ok {
			return nil
		}
		e = w.Unwrap()
	}
}

// Role is what a text is for. Some encoders put other words before a query
// than before what is searched.
type Role uint8

// The roles of a text.
const (
	Query    Role = iota
	Document      // a whole document, title and text together
	Passage       // a part of one
)

func (r Role) String() string { return enum.Of([]string{"query", "document", "passage"}, r) }

// Check is an error unless r is one of the three roles.
func (r Role) Check() error {
	if r > Passage {
		return fmt.Errorf("encoding texts: role %d is none of query, document, passage", r)
	}
	return nil
}

// Encoded is what became of a batch, an element for each text.
type Encoded struct {
	Vectors [][]float32 // of length 1
	Cut     []bool      // the text was longer than the encoder reads: its end is not in the vector
}

// Identity is everything that decides which vector a text gets. Two encoders
// with equal identities give the same vectors; those of unequal ones must not
// meet in one collection.
type Identity struct {
	Name      string
	Revision  string
	Dimension int
	Pooling   string // how vectors of tokens become one: mean, cls, last
	Prefixes  Prefixes
	MaxTokens int    // longer texts are cut
	Weights   string // sha256 of the weights in hexadecimal, empty where they cannot be seen
}

// Outside is the name of what made vectors that were brought without saying what.
const Outside = "vectors brought from outside"

// Prefixes are put before a text according to its role.
type Prefixes struct {
	Query, Document, Passage string
}

// Of is the prefix of a role.
func (p Prefixes) Of(r Role) string {
	return [...]string{p.Query, p.Document, p.Passage}[r]
}

// String names the encoder in messages, with what tells it from its like.
func (id Identity) String() string {
	var b strings.Builder
	b.WriteString(id.Name)
	if id.Revision != "" {
		b.WriteString("@" + id.Revision)
	}
	fmt.Fprintf(&b, " (%d dimensions", id.Dimension)
	if id.Pooling != "" {
		b.WriteString(", pooling " + id.Pooling)
	}
	if id.Prefixes != (Prefixes{}) {
		fmt.Fprintf(&b, ", prefixes %q %q %q", id.Prefixes.Query, id.Prefixes.Document, id.Prefixes.Passage)
	}
	if len(id.Weights) >= 8 {
		b.WriteString(", weights " + id.Weights[:8])
	}
	return b.String() + ")"
}
