package named

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nsfl-go/nsfl/encoder"
)

// Unknown is the word for what made vectors that were brought without saying
// what: an encoder that encodes nothing. Such a collection can be searched by
// like:ID.
func Unknown(dimension int) string { return unknownPrefix + strconv.Itoa(dimension) }

const unknownPrefix = "vectors:"

type unknown struct{ dimension int }

func newUnknown(dimension string) (*Encoder, error) {
	n, err := strconv.Atoi(dimension)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("unknown encoder %q: the dimension has to follow, as in vectors:384", unknownPrefix+dimension)
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
	return encoder.Encoded{}, errors.New("nobody said what made the vectors of this collection, so a text cannot be encoded alike; use like:ID, or import them again with --encoder")
}
