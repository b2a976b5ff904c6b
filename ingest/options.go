package ingest

import (
	"fmt"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/passage"
)

// Options say how files are read. The zero value is useful.
type Options struct {
	// MinWords and MaxWords are the length that passages aim at; 0 is 80 and
	// 160. A passage may be shorter than the least, never longer than the most.
	// Two characters of a script without spaces count as a word.
	MinWords, MaxWords int
	// ID, Title and Text name the columns of tables and the fields of JSON;
	// empty, the usual names are tried.
	ID, Title, Text string
	// Types are the endings of the files that Sources finds, such as ".jpg", where
	// the caller reads them itself; nil: those that Documents reads.
	Types []string
	// MaxFileBytes limits a file that is one document, and a row of the others,
	// decompressed; 0 is 32 MiB.
	MaxFileBytes int64
	// MaxDocumentBytes limits title (twice, as it may become a passage), text,
	// passages and metadata together; 0 is 16 MiB.
	MaxDocumentBytes int
	// MaxPassages limits the passages of a document; 0 is 65,533, so that with
	// the title there are 65,534.
	MaxPassages int
	// Skip is told of everything that is not read.
	Skip func(Skip)
	// Progress is told how many bytes of a source have been read so far, as they
	// lie on the disk.
	Progress func(s Source, bytes int64)
}

func (o Options) withDefaults() (Options, error) {
	if o.MinWords < 0 || o.MaxWords < 0 || o.MaxFileBytes < 0 || o.MaxDocumentBytes < 0 || o.MaxPassages < 0 {
		return o, fmt.Errorf("reading documents: a limit is negative; 0 is the usual one")
	}
	lengths, err := passage.Lengths{Min: o.MinWords, Max: o.MaxWords}.WithDefaults()
	if err != nil {
		return o, fmt.Errorf("reading documents: %w", err)
	}
	o.MinWords, o.MaxWords = lengths.Min, lengths.Max
	for _, name := range []string{o.ID, o.Title, o.Text} {
		if !utf8.ValidString(name) {
			return o, fmt.Errorf("reading documents: the column name %q is not valid UTF-8", name)
		}
	}
	if o.MaxFileBytes == 0 {
		o.MaxFileBytes = 32 << 20
	}
	if o.MaxDocumentBytes == 0 {
		o.MaxDocumentBytes = 16 << 20
	}
	if o.MaxPassages == 0 {
		o.MaxPassages = 65_533
	}
	if o.Skip == nil {
		o.Skip = func(Skip) {}
	}
	if o.Progress == nil {
		o.Progress = func(Source, int64) {}
	}
	return o, nil
}
