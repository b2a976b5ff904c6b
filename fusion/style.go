package fusion

import "github.com/nsfl-go/nsfl/internal/enum"

// Style determines how the parts of a term are fused.
type Style uint8

const (
	// Simple joins atoms with the operators themselves: "A AND B".
	Simple Style = iota
	// Contextual phrases the formula in words: "A that are also B".
	Contextual
	// Centroid sums the vectors of the atoms and normalizes; only the atoms' own strings are
	// encoded.
	Centroid
)

var styleNames = []string{Simple: "simple", Contextual: "contextual", Centroid: "centroid"}

// StyleNames returns the names that ParseStyle accepts.
func StyleNames() []string { return styleNames }

func (s Style) String() string { return enum.Of(styleNames, s) }

// ParseStyle is the inverse of String.
func ParseStyle(name string) (Style, error) { return enum.Find[Style]("fusion", styleNames, name) }

// MarshalText writes the name.
func (s Style) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name.
func (s *Style) UnmarshalText(text []byte) (err error) {
	*s, err = ParseStyle(string(text))
	return err
}
