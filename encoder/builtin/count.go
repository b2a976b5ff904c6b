package builtin

import "github.com/nsfl-go/nsfl/encoder"

var _ encoder.Counter = (*Encoder)(nil)

// Tokens is the number of pieces of words.
func (e *Encoder) Tokens(text string) int { return e.tokens.Count(text) }

// Room leaves out the two tokens around a text.
func (e *Encoder) Room() int {
	around, _ := e.tokens.Encode("", 0)
	return e.limit - len(around)
}
