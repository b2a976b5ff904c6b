package ingest

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// Options say how files are read. The zero value is useful.
type Options struct {
	// Lengths are those of passages, by the tokens of the encoder that is to read
	// them; those that are zero are the usual ones.
	Lengths passage.Lengths
	// ID, Title and Text name the columns of tables and the fields of JSON;
	// empty, the usual names are tried.
	ID, Title, Text string
	// Types are the endings of the files that Sources finds, such as ".jpg", where
	// the caller reads them itself; nil: those that Documents reads.
	Types []string
	// Include and Exclude are globs on what is in folders: paths below the argument or,
	// without a slash, names. Where some are included, no other file is read.
	Include, Exclude []string
	// NoIgnore reads also what .gitignore and .nsflignore leave out.
	NoIgnore bool
	// Type is the ending by which a file that is named, or standard input, is read;
	// empty: its own.
	Type string
	// Stdin is what the path "-" reads, standard input where it is nil, and Name the
	// id of it, "stdin" where it is empty.
	Stdin io.Reader
	Name  string
	// Folder is told of each folder that Sources is about to look into.
	Folder func(path string)
	// Skip is told of everything that is not read.
	Skip func(Skip)
	// Progress is told how many bytes of the present source have been read so far,
	// as they lie on the disk.
	Progress func(bytes int64)

	limits limits
}

// Types are the endings of the files that are read.
func Types() []string { return slices.Sorted(maps.Keys(formats)) }

// as is the name by which the format of a named source is known; empty: its own.
func (o Options) as(name string) string {
	if o.Type == "" {
		return ""
	}
	return name + o.Type
}

// limits keep a mistake from filling the memory or the collection. What is 0 is as
// usual.
type limits struct {
	file     int64 // bytes of a file that is one document, and of a row of the others, decompressed
	packed   int64 // of a file that is not text, pictures in it included
	document int   // bytes of title (twice, as it may become a passage), text, passages and metadata
	passages int   // of a document, without the title
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
	}
	if o.Skip == nil {
		o.Skip = func(Skip) {}
	}
	if o.Folder == nil {
		o.Folder = func(string) {}
	}
	if o.Progress == nil {
		o.Progress = func(int64) {}
	}
	return o, nil
}

// of is the limit for files of a format.
func (l limits) of(f *format) int64 {
	if f.packed != nil {
		return l.packed
	}
	return l.file
}
