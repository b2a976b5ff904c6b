package lab

import (
	"fmt"
	"strings"
)

// Passages is how a document with several passages is compared with a query.
type Passages uint8

const (
	Whole    Passages = iota // one vector for title and passages together
	Max                      // the largest cosine to a passage
	MeanMax                  // the mean of the mean and the largest cosine to a passage
	WholeMax                 // the mean of Whole and the largest cosine to a passage, the title being one: what collections do
)

var passagesNames = [...]string{"whole", "max", "meanmax", "wholemax"}

func (p Passages) String() string { return passagesNames[p] }

// ParsePassages is the choice of a name.
func ParsePassages(s string) (Passages, error) {
	for i, name := range passagesNames {
		if name == s {
			return Passages(i), nil
		}
	}
	return 0, fmt.Errorf("unknown way to compare passages %q: it is one of %s", s, strings.Join(passagesNames[:], ", "))
}

// MarshalText writes the name.
func (p Passages) MarshalText() ([]byte, error) { return []byte(p.String()), nil }
