package builtin

import (
	"fmt"
	"testing"
)

// BenchmarkOne encodes a single text on one processor: the latency of a query.
func BenchmarkOne(b *testing.B) {
	e := open(b)
	for _, text := range []string{
		"dog",
		"golden retriever AND NOT leash",
		"a long necktie that is tied in a slipknot with one end hanging in front of the other, worn by " +
			"gentlemen in the city, and sold in shops of the better kind near the old harbour and the market",
	} {
		ids, _ := e.tokens.Encode(text, e.model.Limit)
		b.Run(fmt.Sprintf("tokens=%d", len(ids)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				encode(b, e, text)
			}
		})
	}
}

// BenchmarkMany encodes documents on all processors.
func BenchmarkMany(b *testing.B) {
	e, all := open(b), texts(fixture(b))
	for _, c := range []struct {
		name  string
		texts []string
	}{{"lines", all[:256]}, {"documents", all[900:964]}} {
		b.Run(c.name, func(b *testing.B) {
			tokens := 0
			for _, text := range c.texts {
				ids, _ := e.tokens.Encode(text, e.model.Limit)
				tokens += len(ids)
			}
			for b.Loop() {
				encode(b, e, c.texts...)
			}
			n := float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(n*float64(len(c.texts)), "texts/s")
			b.ReportMetric(n*float64(tokens), "tokens/s")
		})
	}
}

func BenchmarkTokenize(b *testing.B) {
	e, all := open(b), texts(fixture(b))
	size := 0
	for _, text := range all {
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, text := range all {
			e.tokens.Encode(text, e.model.Limit)
		}
	}
}

// BenchmarkRead opens the encoder: it verifies the checksum and reads the vocabulary.
func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := read(revisions[len(revisions)-1].data); err != nil {
			b.Fatal(err)
		}
	}
}
