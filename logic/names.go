package logic

import (
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Names of the options in text and in JSON.

var similarityNames = []string{Clamp: "clamp", Affine: "affine", Raw: "raw"}

// SimilarityNames returns the names of the similarities.
func SimilarityNames() []string { return slices.Clone(similarityNames) }

func (s Similarity) String() string { return enum.Of(similarityNames, s) }

// MarshalText returns the name.
func (s Similarity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses a name.
func (s *Similarity) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Find[Similarity]("similarity", similarityNames, string(text))
	return err
}

// floorBits has the name of each floor at the index of its bit.
var floorBits = []string{"and", "not", "or"}

// MarshalText returns the names of the floors, separated by commas.
func (f Floors) MarshalText() ([]byte, error) {
	var names []string
	for bit, name := range floorBits {
		if f&(1<<bit) != 0 {
			names = append(names, name)
		}
	}
	return []byte(strings.Join(names, ",")), nil
}

// UnmarshalText parses names separated by commas.
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
