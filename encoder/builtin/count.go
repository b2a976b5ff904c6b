package builtin

import "github.com/nsfl-go/nsfl/encoder"

var _ encoder.Counter = (*Encoder)(nil)

// Tokens returns the number of word pieces in text.
func (e *Encoder) Tokens(text string) int { return e.tokens.Count(text) }

// Room returns the token limit less the two special tokens that surround a text.
func (e *Encoder) Room() int {
	around, _ := e.tokens.Encode("", 0)
	return e.limit - len(around)
}
