package workspace

import (
	"context"
	"errors"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

// counting is an encoder that records the number of texts per call.
type counting struct {
	encoder.Encoder
	given []int
}

func (c *counting) Encode(_ context.Context, _ encoder.Role, texts []string) (encoder.Encoded, error) {
	c.given = append(c.given, len(texts))
	return encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}, nil
}

// TestEncodeInTurns: documents are encoded in turns, queries immediately.
func TestEncodeInTurns(t *testing.T) {
	e := &counting{}
	over := errors.New("over")
	turns, inside := 0, 0
	a := turnEncoder{e, func(context.Context) (func(), error) {
		if turns++; turns > 3 {
			return nil, over
		}
		inside++
		return func() { inside-- }, nil
	}}
	encoded, err := a.Encode(t.Context(), encoder.Passage, make([]string, 2*turnTexts+1))
	if err != nil || len(encoded.Vectors) != 2*turnTexts+1 || len(encoded.Cut) != 2*turnTexts+1 || turns != 3 || inside != 0 {
		t.Errorf("%d vectors in %d turns, %d not left: %v", len(encoded.Vectors), turns, inside, err)
	}
	if len(e.given) != 3 || e.given[0] != turnTexts || e.given[2] != 1 {
		t.Errorf("the encoder was given %v", e.given)
	}
	if _, err := a.Encode(t.Context(), encoder.Document, make([]string, 1)); !errors.Is(err, over) {
		t.Errorf("no turn: %v", err)
	}
	if _, err := a.Encode(t.Context(), encoder.Query, make([]string, 1)); err != nil {
		t.Errorf("a query: %v", err)
	}
}
