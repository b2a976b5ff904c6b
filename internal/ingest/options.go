package ingest

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// Options configures how files are read. The zero value is useful.
type Options struct {
	// Lengths sets the lengths of passages in tokens of the target encoder. Zero values select
	// the defaults.
	Lengths passage.Lengths
	// ID, Title and Text name the columns of tables and the fields of JSON. If they are empty,
	// common names are tried.
	ID, Title, Text string
	// Types lists the file extensions that Sources finds, such as ".jpg", for callers that
	// read the files themselves. Nil selects the types that Documents reads.
	Types []string
	// Include and Exclude are globs for the contents of folders. They match paths below the
	// argument or, without a slash, names. If Include is set, other files are skipped.
	Include, Exclude []string
	// NoIgnore also reads files excluded by .gitignore and .nsflignore.
	NoIgnore bool
	// Type overrides the extension that determines the format of a named file or of standard
	// input.
	Type string
	// Stdin replaces standard input for the path "-". Name is its id, "stdin" by default.
	Stdin io.Reader
	Name  string
	// Skip is called for everything that is not read.
	Skip func(Skip)
	// Progress is called with the number of bytes of the current source read so far, as stored
	// on disk.
	Progress func(bytes int64)

	// Child is a command that calls Child and reads the content of From, so that a parser that
	// fails does not end this process. Empty: this process reads.
	Child []string

	limits limits
}

// Types returns the file extensions that can be read.
func Types() []string { return slices.Sorted(maps.Keys(formats)) }

// as returns the name that determines the format of a named source.
func (o Options) as(name string) string {
	if o.Type == "" {
		return ""
	}
	return name + o.Type
}

// limits keeps a mistake from filling the memory or the collection. Zero values select the
// defaults.
type limits struct {
	file     int64 // bytes of a file that is one document, and of a row of the others, decompressed
	packed   int64 // of a file that is not text, pictures in it included
	document int   // bytes of title (twice, as it may become a passage), text, passages and metadata
	passages int   // of a document, without the title

	// Of the budget of a document.
	text, parts int
	time        time.Duration
}

func (o Options) withDefaults() (_ Options, err error) {
	if o.Lengths, err = o.Lengths.WithDefaults(); err != nil {
		return o, fmt.Errorf("reading documents: %w", err)
	}
	for _, name := range []string{o.ID, o.Title, o.Text} {
		if !utf8.ValidString(name) {
			return o, fmt.Errorf("reading documents: the column name %q is not valid UTF-8", name)
		}
	}
	for _, glob := range slices.Concat(o.Include, o.Exclude) {
		if !doublestar.ValidatePattern(glob) {
			return o, fmt.Errorf("reading documents: the glob %q is not one; a bracket or brace may not be closed", glob)
		}
	}
	if o.Type != "" {
		o.Type = "." + strings.TrimPrefix(strings.ToLower(o.Type), ".")
		if ending, _ := cutGzip("x" + o.Type); formats[extensionOf(ending)] == nil {
			return o, fmt.Errorf("reading documents: the type %q is not known; it is one of %s", o.Type, strings.Join(Types(), " "))
		}
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	o.limits = limits{
		file: cmp.Or(o.limits.file, 32<<20), packed: cmp.Or(o.limits.packed, 128<<20),
		document: cmp.Or(o.limits.document, engine.MaxDocumentBytes), passages: cmp.Or(o.limits.passages, engine.MaxPassages-1),
		text: cmp.Or(o.limits.text, maxTextBytes), parts: cmp.Or(o.limits.parts, maxTextParts), time: cmp.Or(o.limits.time, maxReadTime),
	}
	if o.Skip == nil {
		o.Skip = func(Skip) {}
	}
	if o.Progress == nil {
		o.Progress = func(int64) {}
	}
	return o, nil
}

// of returns the limit for files of a format.
func (l limits) of(f *format) int64 {
	if f.packed != nil {
		return l.packed
	}
	return l.file
}
