package ingest

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// Kind is a class of reasons, for counting.
type Kind string

// The kinds of things that are skipped.
const (
	Hidden     Kind = "hidden"        // .git, .env, node_modules
	Link       Kind = "link"          // a symbolic link within a folder
	Special    Kind = "special file"  // a socket, a device
	Unknown    Kind = "unknown type"  // an extension that is not read
	Ignored    Kind = "ignored"       // by .gitignore, .nsflignore, or a glob
	Twice      Kind = "named twice"   // a file that an earlier argument led to
	Unreadable Kind = "unreadable"    // the operating system refuses
	Binary     Kind = "binary"        // not text
	Encoding   Kind = "encoding"      // text in an unknown encoding
	TooLarge   Kind = "too large"     // above a limit
	Malformed  Kind = "malformed"     // does not match its type
	Empty      Kind = "empty"         // neither a title nor text
	Duplicate  Kind = "duplicate id"  // an id that an earlier document has
	NoText     Kind = "no text field" // a table or object in which no text was found
	Attachment Kind = "attachment"    // attachment of a message
	Generated  Kind = "generated"     // generated source code
)

// Skip describes an item that was not read, and why.
type Skip struct {
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"` // line in the file, from 1; 0 for the whole file or an unknown line
	Kind   Kind   `json:"kind"`
	Reason string `json:"reason"`
}

// String returns a single line, even if the file name contains line breaks.
func (s Skip) String() string {
	if s.Line > 0 {
		return termsafe.Line(fmt.Sprintf("%s, line %d: %s", s.Path, s.Line, s.Reason))
	}
	return termsafe.Line(s.Path + ": " + s.Reason)
}

// Summary counts skips by kind and keeps the first few of each. Use its Add method as
// Options.Skip.
type Summary struct {
	kinds map[Kind]*tally
}

type tally struct {
	count int
	first []Skip
	types map[string]int // number of files by unknown type
}

// Add counts s.
func (s *Summary) Add(skip Skip) {
	const kept = 3
	if s.kinds == nil {
		s.kinds = map[Kind]*tally{}
	}
	t := s.kinds[skip.Kind]
	if t == nil {
		t = &tally{types: map[string]int{}}
		s.kinds[skip.Kind] = t
	}
	if skip.Kind == Unknown {
		t.types[cmp.Or(strings.ToLower(path.Ext(filepath.ToSlash(skip.Path))), "no type")]++
	}
	if t.count++; len(t.first) < kept {
		t.first = append(t.first, skip)
	}
}

// String lists the kinds, most frequent first, each with examples. It is empty if nothing was
// skipped; otherwise it ends with a line break.
func (s *Summary) String() string {
	var b strings.Builder
	kinds := slices.SortedFunc(maps.Keys(s.kinds), func(a, b Kind) int { return cmp.Or(s.kinds[b].count-s.kinds[a].count, cmp.Compare(a, b)) })
	for _, k := range kinds {
		t := s.kinds[k]
		if k == Unknown {
			advice := "; name one to have it read as text"
			if t.types[".jpg"]+t.types[".jpeg"]+t.types[".png"] == t.count {
				advice = "" // pictures cannot be read as text
			}
			fmt.Fprintf(&b, "%d skipped, %s: %s%s\n", t.count, k, t.listTypes(), advice)
			continue
		}
		fmt.Fprintf(&b, "%d skipped, %s:\n", t.count, k)
		for _, skip := range t.first {
			fmt.Fprintf(&b, "  %s\n", skip)
		}
		if more := t.count - len(t.first); more > 0 {
			fmt.Fprintf(&b, "  and %d more\n", more)
		}
	}
	return b.String()
}

func (t *tally) listTypes() string {
	const shown = 8
	types := slices.SortedFunc(maps.Keys(t.types), func(a, b string) int { return cmp.Or(t.types[b]-t.types[a], cmp.Compare(a, b)) })
	var words []string
	for _, name := range types[:min(shown, len(types))] {
		words = append(words, termsafe.Line(fmt.Sprintf("%d %s", t.types[name], name)))
	}
	if len(types) > shown {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}
