// Package encoder defines encoders, which turn texts into unit vectors and can
// identify themselves before they have encoded anything. The encoders themselves
// are in subfolders.
//
// The package knows about texts and vectors, but not about formulas, fusions,
// scores, documents or vector storage.
package encoder

import (
	"context"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Encoder turns texts into vectors. It is safe for concurrent use.
//
// A text's vector depends only on the text and its role, bit for bit: never on the
// other texts of the batch, their order or their number.
type Encoder interface {
	// Identity returns the identity. It needs no encoding and never changes.
	Identity() Identity

	// Encode encodes texts in one role. Once the context is done, it returns promptly
	// with exactly the context's error.
	Encode(ctx context.Context, role Role, texts []string) (Encoded, error)
}

// Counter is an encoder that can count the tokens of a text without encoding it.
type Counter interface {
	// Tokens returns the number of tokens in text, without special tokens. Splitting a
	// text at white space never lowers the total.
	Tokens(text string) int

	// Room returns the maximum number of tokens in a document or passage, not counting the
	// prefix and special tokens.
	Room() int
}

// CounterOf returns the Counter of e or of an encoder it wraps, or nil if there is none.
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

// Role is the purpose of a text. Some encoders expect different prefixes for queries
// and for the texts to search.
type Role uint8

// The roles of a text.
const (
	Query    Role = iota
	Document      // a whole document, title and text together
	Passage       // a part of one
)

func (r Role) String() string { return enum.Of([]string{"query", "document", "passage"}, r) }

// Check returns an error unless r is one of the three roles.
func (r Role) Check() error {
	if r > Passage {
		return fmt.Errorf("encoding texts: unknown role %d, want query, document or passage", r)
	}
	return nil
}

// Encoded is the result for a batch, with one element per text.
type Encoded struct {
	Vectors [][]float32 // unit vectors
	Cut     []bool      // whether the text exceeded the token limit and was truncated
}

// Identity is everything that determines a text's vector. Encoders with equal identities
// return the same vectors; vectors of different identities must not be mixed in one
// collection.
type Identity struct {
	Name      string
	Revision  string
	Dimension int
	Pooling   string // how token vectors are combined: mean, cls, last
	Prefixes  Prefixes
	MaxTokens int    // longer texts are cut
	Weights   string // SHA-256 of the weights in hexadecimal, empty if unknown
}

// Outside is the encoder name for imported vectors whose encoder was not given.
const Outside = "vectors brought from outside"

// Prefixes are put before a text according to its role.
type Prefixes struct {
	Query, Document, Passage string
}

// Of returns the prefix for a role.
func (p Prefixes) Of(r Role) string {
	return [...]string{p.Query, p.Document, p.Passage}[r]
}

// String returns the name and the properties that distinguish similar encoders, for messages.
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
