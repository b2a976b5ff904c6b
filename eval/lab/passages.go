package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Passages is how a document with several passages is compared with a query. The
// zero value is Whole.
type Passages struct {
	way   way
	title Title
}

// The ways to compare, each with what it usually makes of a title. A mean is that
// of the similarities it names.
var (
	// Whole is the cosine to one vector for title and passages together.
	Whole = Passages{}
	// Max is the largest cosine to a passage, titles left out.
	Max = Passages{largest, TitleNone}
	// MeanMax is the mean of Max and the mean cosine to a passage, titles left out.
	MeanMax = Passages{meanLargest, TitleNone}
	// WholeMax is the mean of Whole and the largest cosine to a passage, the title
	// being one.
	WholeMax = Passages{wholeLargest, TitlePassage}
	// Stored is what collections do: WholeMax but for two things, so that no text need be
	// encoded twice. The vector of a document that is longer than a passage may be is the
	// mean of those of its parts, scaled to length 1; a passage alone beside a title has
	// the vector of the whole.
	Stored = Passages{asStored, TitlePassage}
	// WholeMeanMax is the mean of Whole, and of the mean and the largest cosine to
	// a passage, the title being one.
	WholeMeanMax = Passages{wholeMeanLargest, TitlePassage}
	// MixMax is WholeMax with another vector for the document: the sum, scaled to
	// length 1, of that of the whole and the mean of those of the passages. It
	// costs a search no more than WholeMax.
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

// WayNames are the names of the ways.
func WayNames() []string { return slices.Clone(wayNames) }

// Title is what becomes of a document's title among its passages. The vector of
// the whole has it in any case.
type Title uint8

const (
	TitlePassage Title = iota // a passage of its own
	TitlePrefix               // before every passage: "Title. passage"
	TitleNone                 // left out
)

var titleNames = []string{"passage", "prefix", "none"}

func (t Title) String() string { return titleNames[t] }

// ParseTitle is the choice of a name.
func ParseTitle(s string) (Title, error) {
	return enum.Find[Title]("place for titles", titleNames, s)
}

// TitleNames are those that ParseTitle knows.
func TitleNames() []string { return slices.Clone(titleNames) }

// With is the same way with another place for titles. Whole has no passages and
// stays as it is.
func (p Passages) With(t Title) Passages {
	if p.way != whole {
		p.title = t
	}
	return p
}

// Way is the name of the way alone.
func (p Passages) Way() string { return wayNames[p.way] }

// Title is where titles are.
func (p Passages) Title() Title { return p.title }

// String is the way, and where titles are unless that is as usual: meanmax:prefix.
func (p Passages) String() string {
	if p == usual[p.way] {
		return p.Way()
	}
	return p.Way() + ":" + p.title.String()
}

// ParsePassages is the choice that String writes.
func ParsePassages(s string) (Passages, error) {
	name, title, named := strings.Cut(s, ":")
	w, err := enum.Find[way]("way to compare passages", wayNames, name)
	p := usual[w]
	if err != nil || !named {
		return p, err
	}
	t, err := ParseTitle(title)
	if err == nil && p == Whole {
		err = fmt.Errorf("%s: a whole document has its title in it; leave %q out", s, ":"+title)
	}
	return p.With(t), err
}

// hasWhole reports whether the vector of the whole takes part. A document of one
// passage is that vector then, as in a collection.
func (p Passages) hasWhole() bool { return p.way != largest && p.way != meanLargest }
