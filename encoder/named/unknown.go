package named

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nsfl-go/nsfl/encoder"
)

// Unknown returns the encoder name for imported vectors whose encoder was not given. That
// encoder cannot encode; such a collection can be searched by like:ID.
func Unknown(dimension int) string { return unknownPrefix + strconv.Itoa(dimension) }

const unknownPrefix = "vectors:"

type unknown struct{ dimension int }

func newUnknown(dimension string) (*Encoder, error) {
	n, err := strconv.Atoi(dimension)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("unknown encoder %q: add the dimension, as in vectors:384", unknownPrefix+dimension)
	}
	return &Encoder{Encoder: unknown{n}}, nil
}

func (u unknown) Identity() encoder.Identity {
	return encoder.Identity{Name: encoder.Outside, Dimension: u.dimension}
}

func (u unknown) Encode(_ context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil || len(texts) == 0 {
		return encoder.Encoded{}, err
	}
	return encoder.Encoded{}, errors.New("the vectors of this collection come from an unknown encoder, so texts cannot be encoded; use like:ID, or import them again with --encoder")
}
