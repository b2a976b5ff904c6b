package remote

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
)

// Documents are asked for in pieces that go by how long those before were.
func TestPortion(t *testing.T) {
	wanted := make([]int, 3000)
	for name, c := range map[string]struct {
		parts  engine.Parts
		text   int // bytes of each document
		pieces []int
	}{
		"vectors alone": {engine.Vectors, 0, []int{3000}},
		"short":         {engine.AllParts, 100, []int{16, 64, 256, 512, 512, 512, 512, 512, 104}},
		"a megabyte":    {engine.Texts, 1 << 20, []int{16}},
		"half of one":   {engine.Texts, 1 << 19, []int{16, 16}},
		"very long":     {engine.Texts, engine.MaxDocumentBytes, []int{16}},
	} {
		var pieces []int
		docs, err := ReadWithin(new(storekit.ReadBudget), wanted, c.parts, func(some []int) ([]engine.Document, error) {
			pieces = append(pieces, len(some))
			out := make([]engine.Document, len(some))
			text := strings.Repeat("x", c.text)
			for i := range out {
				out[i].Text = text
			}
			return out, nil
		})
		sum := 0
		for _, n := range pieces {
			sum += n
		}
		if err != nil || !slices.Equal(pieces, c.pieces) || len(docs) != sum {
			t.Errorf("%s: %d documents in pieces of %d, %v; want %d", name, len(docs), pieces, err, c.pieces)
		}
	}
	broken := errors.New("broken")
	if _, err := ReadWithin(new(storekit.ReadBudget), wanted, engine.Texts, func([]int) ([]engine.Document, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
