package onnx

import (
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

// A text that fits in Room is not cut, whatever its prefix.
func TestRoom(t *testing.T) {
	for _, o := range []Options{{}, {Prefixes: &encoder.Prefixes{Document: "a much longer prefix of a document: ", Passage: "p: "}}} {
		e := openTest(t, "e5", o)
		text := "dog"
		for e.Tokens(text+" dog") <= e.Room() {
			text += " dog"
		}
		if len(text) < 4*e.Room()/2 {
			t.Fatalf("only %q fits", text)
		}
		for _, role := range []encoder.Role{encoder.Document, encoder.Passage} {
			out, err := e.Encode(t.Context(), role, []string{text, text + strings.Repeat(" dog", e.Identity().MaxTokens)})
			if err != nil {
				t.Fatal(err)
			}
			if out.Cut[0] || !out.Cut[1] {
				t.Errorf("%s: %d tokens of %d are cut %t, many more %t", role, e.Tokens(text), e.Room(), out.Cut[0], out.Cut[1])
			}
		}
	}
}
