package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Passages is the way to compare a document of several passages with a query. The zero
// value is Whole.
type Passages struct {
	way   way
	title Title
}

// The ways to compare, each with its default treatment of titles.
var (
	// Whole is the cosine to one vector for title and passages together.
	Whole = Passages{}
	// Max is the largest cosine to a passage, without titles.
	Max = Passages{largest, TitleNone}
	// MeanMax is the mean of Max and the mean cosine to a passage, without titles.
	MeanMax = Passages{meanLargest, TitleNone}
	// WholeMax is the mean of Whole and the largest cosine to a passage, where the title
	// counts as a passage.
	WholeMax = Passages{wholeLargest, TitlePassage}
	// Stored is the way of collections. It is like WholeMax, with two differences that avoid
	// encoding a text twice: the vector of a document that is longer than a passage may be is
	// the normalized mean of the vectors of its parts, and a single passage that has a title
	// has the vector of the whole.
	Stored = Passages{asStored, TitlePassage}
	// WholeMeanMax is the mean of Whole and of the mean and the largest cosine to a passage,
	// where the title counts as a passage.
	WholeMeanMax = Passages{wholeMeanLargest, TitlePassage}
	// MixMax is WholeMax with a different vector for the document: the normalized sum of the
	// vector of the whole and the mean of the vectors of the passages. It costs a search no
	// more than WholeMax.
	MixMax = Passages{mixLargest, TitlePassage}
)

type way uint8

const (
	whole way = iota
	largest
	meanLargest
	wholeLargest
	wholeMeanLargest
	mixLargest
	asStored
)

var usual = [...]Passages{Whole, Max, MeanMax, WholeMax, WholeMeanMax, MixMax, Stored}

var wayNames = []string{"whole", "max", "meanmax", "wholemax", "wholemeanmax", "mixmax", "stored"}

// WayNames returns the names of the ways.
func WayNames() []string { return slices.Clone(wayNames) }

// Title is the treatment of a document's title among its passages. The vector of the whole
// always includes it.
type Title uint8

const (
	TitlePassage Title = iota // a passage of its own
	TitlePrefix               // before every passage: "Title. passage"
	TitleNone                 // left out
)

var titleNames = []string{"passage", "prefix", "none"}

func (t Title) String() string { return titleNames[t] }

// ParseTitle is the inverse of Title.String.
func ParseTitle(s string) (Title, error) {
	return enum.Find[Title]("place for titles", titleNames, s)
}

// TitleNames returns the names that ParseTitle accepts.
func TitleNames() []string { return slices.Clone(titleNames) }

// With returns the same way with another treatment of titles. Whole has no passages and
// stays unchanged.
func (p Passages) With(t Title) Passages {
	if p.way != whole {
		p.title = t
	}
	return p
}

// Way returns the name of the way alone.
func (p Passages) Way() string { return wayNames[p.way] }

// Title returns the treatment of titles.
func (p Passages) Title() Title { return p.title }

// String returns the way, and the treatment of titles unless it is the default:
// meanmax:prefix.
func (p Passages) String() string {
	if p == usual[p.way] {
		return p.Way()
	}
	return p.Way() + ":" + p.title.String()
}

// ParsePassages is the inverse of String.
func ParsePassages(s string) (Passages, error) {
	name, title, named := strings.Cut(s, ":")
	w, err := enum.Find[way]("way to compare passages", wayNames, name)
	p := usual[w]
	if err != nil || !named {
		return p, err
	}
	t, err := ParseTitle(title)
	if err == nil && p == Whole {
		err = fmt.Errorf("%s: a whole document includes its title; leave out %q", s, ":"+title)
	}
	return p.With(t), err
}

// hasWhole reports whether the vector of the whole is used. A document of one passage is
// then represented by that vector, as in a collection.
func (p Passages) hasWhole() bool { return p.way != largest && p.way != meanLargest }
