package logic

import (
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Choices have names in text and in JSON.

var similarityNames = []string{Clamp: "clamp", Affine: "affine", Raw: "raw"}

// SimilarityNames are those of the similarities.
func SimilarityNames() []string { return slices.Clone(similarityNames) }

func (s Similarity) String() string { return enum.Of(similarityNames, s) }

// MarshalText writes the name.
func (s Similarity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name.
func (s *Similarity) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Find[Similarity]("similarity", similarityNames, string(text))
	return err
}

// floorBits names each floor at the place of its bit.
var floorBits = []string{"and", "not", "or"}

// MarshalText writes the names of the floors, separated by commas.
func (f Floors) MarshalText() ([]byte, error) {
	var names []string
	for bit, name := range floorBits {
		if f&(1<<bit) != 0 {
			names = append(names, name)
		}
	}
	return []byte(strings.Join(names, ",")), nil
}

// UnmarshalText reads names, separated by commas.
func (f *Floors) UnmarshalText(text []byte) error {
	*f = 0
	if len(text) == 0 {
		return nil
	}
	for s := range strings.SplitSeq(string(text), ",") {
		bit, err := enum.Find[Floors]("noise floor", floorBits, s)
		if err != nil {
			return err
		}
		*f |= 1 << bit
	}
	return nil
}
