package tokenizer

import (
	"strings"
	"testing"
)

// BenchmarkEncode encodes a passage with each class of model. For WordPiece with a full
// vocabulary see BenchmarkTokenize of the built-in encoder.
func BenchmarkEncode(b *testing.B) {
	f := openFixture(b)
	text := strings.Repeat("A photo of a cat that is sitting on a wooden table, near the old harbour; it doesn't mind the rain. ", 4)
	for _, c := range f.Tokenizers {
		b.Run(c.Name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				c.Encode(text, 256)
			}
		})
	}
}

// BenchmarkLong encodes a megabyte of which 256 tokens are kept.
func BenchmarkLong(b *testing.B) {
	f := openFixture(b)
	text := strings.Repeat("the fox and the dog ", 50_000)
	for _, name := range []string{"bert uncased", "clip", "xlm-roberta", "gemma"} {
		c := f.named(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Encode(text, 256)
			}
		})
	}
}
