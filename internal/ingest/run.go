package ingest

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// Run is one pass over files. It is not safe for concurrent use.
type Run struct {
	options Options
	silence time.Duration // of a child, after which it is killed
}

// New starts a run.
func New(o Options) (*Run, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Run{o, childSilence}, nil
}

// Qualified returns the id of a document whose own id belongs to another file.
func Qualified(file, id string) string { return file + "#" + id }

// Cut sets the passage lengths for the documents read from now on.
func (r *Run) Cut(l passage.Lengths) { r.options.Lengths = l }

// Documents reads the documents of a source, each id once. It reports unreadable content to
// Options.Skip; the only error, which ends the iteration, is a done ctx.
func (r *Run) Documents(ctx context.Context, s Source) iter.Seq2[engine.Document, error] {
	return func(yield func(engine.Document, error) bool) {
		k := r.sink(ctx, s, yield)
		if s.Path == StandardInput {
			k.read(r.options.Stdin)
			return
		}
		file, err := os.Open(s.Path)
		if err != nil {
			k.skip(0, err)
			return
		}
		defer file.Close()
		k.read(file)
	}
}

// From reads the documents of content that is not a file, such as an upload. name replaces the
// path: it is the id if there is only one document, and its extension determines the format.
func (r *Run) From(ctx context.Context, name string, content io.Reader) iter.Seq2[engine.Document, error] {
	return func(yield func(engine.Document, error) bool) {
		k := r.sink(ctx, upload(name), yield)
		if name == "" || !utf8.ValidString(name) {
			k.skip(0, unusable(Malformed, "a name that is not empty and valid UTF-8 is needed"))
			return
		}
		if !k.readInChild(content) {
			k.read(content)
		}
	}
}

func (r *Run) sink(ctx context.Context, s Source, yield func(engine.Document, error) bool) *sink {
	return &sink{ctx: ctx, run: r, source: s, yield: yield, seen: map[uint64]uint32{}}
}

// upload returns the source that stands for content with a name.
func upload(name string) Source { return Source{Path: name, Name: name, named: true} }

var idSeed = maphash.MakeSeed()

// sink receives the documents that the reader of a source produces.
type sink struct {
	ctx     context.Context
	run     *Run
	source  Source
	yield   func(engine.Document, error) bool
	seen    map[uint64]uint32 // the line of each id, by its hash; 0 if unknown
	rows    int               // rows read so far
	utf16   bool              // the text was converted from UTF-16
	stopped bool              // the caller wants no more

	references map[string]int // how many records without an id have a DOI or hash

	// forward, if set, gets the drafts instead of yield their documents.
	forward func(d draft, line int) bool
}

// skip reports why the row that begins at a line cannot be read; line 0 means the source.
func (k *sink) skip(line int, err error) {
	kind, reason := explain(err)
	k.run.options.Skip(Skip{Path: k.source.Path, Line: line, Kind: kind, Reason: reason})
}

// add passes a document on. line is 0 if the file is one document. It returns false if no more
// documents are needed.
func (k *sink) add(d draft, line int) bool {
	if k.ctx.Err() != nil {
		return false
	}
	if err := d.encode(); err != nil {
		k.skip(line, err)
		return true
	}
	if k.forward != nil {
		return k.forward(d, line)
	}
	if k.rows > 0 {
		for i := range d.blocks { // the blocks of a row begin at its line, as far as is known
			d.blocks[i].Line = line
		}
	}
	doc, err := d.finish(k.run.options)
	if err != nil {
		k.skip(line, err)
		return true
	}
	switch doc.ID = strings.TrimSpace(d.id); {
	case doc.ID != "":
	case k.rows > 0:
		doc.ID = fmt.Sprintf("%s#%d", k.source.Name, k.rows)
	default:
		doc.ID = k.source.Name
	}
	if problem := doc.TextProblem(); problem != "" {
		k.skip(line, unusable(TooLarge, "%s", problem))
		return true
	}
	hash := maphash.String(idSeed, doc.ID) // saves memory: a file may have millions of ids
	if first, ok := k.seen[hash]; ok {
		where := k.source.Path
		if first > 0 {
			where = fmt.Sprintf("line %d of %s", first, where)
		}
		k.skip(line, unusable(Duplicate, "%s has the same id, %q", where, doc.ID))
		return true
	}
	k.seen[hash] = uint32(line)
	k.stopped = !k.yield(doc, nil)
	return !k.stopped
}

func (k *sink) read(content io.Reader) {
	err := k.open(&rawReader{ctx: k.ctx, file: content, progress: k.run.options.Progress})
	switch {
	case k.stopped:
	case k.ctx.Err() != nil:
		k.interrupt()
	case err != nil && k.rows > 0:
		kind, reason := explain(err)
		k.skip(0, unusable(kind, "reading stopped after row %d: %s", k.rows, reason))
	case err != nil:
		k.skip(0, err)
	}
}

// interrupt reports that ctx is done.
func (k *sink) interrupt() {
	k.yield(engine.Document{}, fmt.Errorf("reading %s: %w", k.source.Path, k.ctx.Err()))
}

func (k *sink) open(raw io.Reader) error {
	f, gzipped := formatOf(k.source.formatName(), k.source.named)
	if gzipped {
		z, err := gzip.NewReader(raw)
		if err != nil {
			return fmt.Errorf("decompressing it: %w", err)
		}
		raw = z
	}
	if f.packed != nil {
		return k.whole(f, raw)
	}
	text, err := k.text(raw)
	if err != nil {
		return err
	}
	if f.rows != nil {
		return f.rows(k, text)
	}
	return k.whole(f, text)
}

// rawReader reads a file and reports its progress, until ctx is done.
type rawReader struct {
	ctx      context.Context
	file     io.Reader
	read     int64
	progress func(int64)
	err      error // of file, except io.EOF
}

func (r *rawReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.file.Read(p)
	r.read += int64(n)
	r.progress(r.read)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
