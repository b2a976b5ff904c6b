package onnx

import "github.com/nsfl-go/nsfl/encoder"

var _ encoder.Counter = (*Encoder)(nil)

// Tokens counts tokens according to tokenizer.json.
func (e *Encoder) Tokens(text string) int { return e.tokenizer.Count(text) }

// Room returns the token limit less the longer prefix and the special tokens.
func (e *Encoder) Room() int {
	room := e.identity.MaxTokens
	for _, role := range []encoder.Role{encoder.Document, encoder.Passage} {
		before, _ := e.tokenizer.Encode(e.identity.Prefixes.Of(role), 0)
		room = min(room, e.identity.MaxTokens-len(before))
	}
	return room
}
