package ingest

import (
	"cmp"
	"fmt"
	"unicode/utf8"

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
	// Folder is told of each folder that Sources is about to look into.
	Folder func(path string)
	// Skip is told of everything that is not read.
	Skip func(Skip)
	// Progress is told how many bytes of the present source have been read so far,
	// as they lie on the disk.
	Progress func(bytes int64)

	limits limits
}

// limits keep a mistake from filling the memory or the collection. What is 0 is as
// usual.
type limits struct {
	file     int64 // bytes of a file that is one document, and of a row of the others, decompressed
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
	o.limits = limits{cmp.Or(o.limits.file, 32<<20), cmp.Or(o.limits.document, engine.MaxDocumentBytes), cmp.Or(o.limits.passages, engine.MaxPassages-1)}
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
