package lab

import (
	"slices"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Passages is the way to compare a document of several passages with a query. The zero
// value is Whole.
type Passages uint8

const (
	// Whole is the cosine to one vector for title and passages together.
	Whole Passages = iota
	// MeanMax is the mean of the largest and the mean cosine to a passage, without titles.
	MeanMax
	// WholeMax is the mean of Whole and the largest cosine to a passage, where the title
	// counts as a passage.
	WholeMax
	// Stored is the way of collections. It is like WholeMax, with two differences that avoid
	// encoding a text twice: the vector of a document that is longer than a passage may be is
	// the normalized mean of the vectors of its parts, and a single passage that has a title
	// has the vector of the whole.
	Stored
)

var wayNames = []string{"whole", "meanmax", "wholemax", "stored"}

// WayNames returns the names that ParsePassages accepts.
func WayNames() []string { return slices.Clone(wayNames) }

func (p Passages) String() string { return enum.Of(wayNames, p) }

// ParsePassages is the inverse of String.
func ParsePassages(s string) (Passages, error) {
	return enum.Find[Passages]("way to compare passages", wayNames, s)
}

// hasTitles reports whether the title counts as a passage.
func (p Passages) hasTitles() bool { return p == WholeMax || p == Stored }
