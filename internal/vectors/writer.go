package vectors

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// WriteOptions are options for writing; the zero value works for most files.
type WriteOptions struct {
	// Rows also writes PATH.rows.jsonl, for formats that hold only vectors: all of a row but its
	// vector.
	Rows bool
}

// encoder writes a format.
type encoder interface {
	write(*Row) error
	finish() error // completes the file after the last row
}

// Writer writes rows to a file, which gets its name when the Writer is closed without an error.
// It is not safe for concurrent use.
type Writer struct {
	path  string
	temp  *temporary
	enc   encoder
	side  *Writer
	shape shape
	bare  bool // rows have no vector
	rows  int64
	err   error // the first
	done  bool
}

// Create starts a file. With the format "" the file's name selects one; JSON lines are
// compressed if it ends in .gz. Close gives the file its name, Abort removes it:
//
//	w, err := vectors.Create(path, vectors.NPY, vectors.WriteOptions{})
//	…
//	defer w.Abort()
//	… w.Write(row) …
//	return w.Close()
func Create(path string, format Format, o WriteOptions) (*Writer, error) {
	if format == "" {
		format = FormatOf(path)
	}
	switch {
	case format == "":
		return nil, fmt.Errorf("writing %s: the file name does not show the format; name one of %s with --format", path, some(Formats()))
	case !slices.Contains(Formats(), format):
		return nil, fmt.Errorf("writing %s: the format %q is not one that is written; name one of %s", path, format, some(Formats()))
	case strings.HasSuffix(strings.ToLower(path), ".gz") && format != JSONL:
		return nil, fmt.Errorf("writing %s: only lines are compressed with gzip; leave out .gz", path)
	case o.Rows && format != NPY:
		return nil, fmt.Errorf("writing %s: a file of the format %s holds ids and texts itself; ask for no side file", path, format)
	}
	w, err := create(path, format)
	if err != nil || !o.Rows {
		return w, err
	}
	if w.side, err = create(path+".rows.jsonl", JSONL); err != nil {
		w.Abort()
		return nil, err
	}
	w.side.bare = true
	return w, nil
}

func create(path string, format Format) (*Writer, error) {
	temp, err := newTemporary(path)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	w := &Writer{path: path, temp: temp}
	switch format {
	case NPY:
		w.enc = &npyWriter{temp: temp}
	case Parquet:
		w.enc = newTableWriter(temp)
	case JSONL:
		w.enc = newObjectWriter(temp, strings.HasSuffix(strings.ToLower(path), ".gz"))
	}
	return w, nil
}

// Write adds a row. All rows must have vectors of the same dimension; only JSON lines and
// parquet can do without. After an error nothing more is written, and Close fails.
func (w *Writer) Write(row Row) error {
	if w.done {
		return fmt.Errorf("writing %s: it is closed", w.path)
	}
	if w.err == nil {
		w.err = w.write(row)
	}
	return w.err
}

func (w *Writer) write(row Row) error {
	if w.side != nil {
		// What belongs to the row comes first: its errors are about the row too.
		if err := w.side.Write(row); err != nil {
			return err
		}
	}
	if w.bare {
		row.Vector = nil
	}
	if w.rows == 0 {
		w.shape = shapeOf(&row)
	}
	err := checkText(&row)
	if err == nil {
		err = w.shape.check(&row)
	}
	if err == nil {
		err = w.enc.write(&row)
	}
	if err != nil {
		return w.fail(err, w.rows)
	}
	w.rows++
	return nil
}

// checkText returns an error for text that JSON or parquet cannot store.
func checkText(row *Row) error {
	for _, s := range []string{row.ID, row.Title, row.Text, string(row.Metadata)} {
		if !utf8.ValidString(s) {
			return bad(ErrFormat, "its id, title, text or metadata is not valid UTF-8")
		}
	}
	for i := range row.Passages {
		if !utf8.ValidString(row.Passages[i].Text) {
			return bad(ErrFormat, "passage %d is not valid UTF-8", i)
		}
		if !utf8.ValidString(row.Passages[i].Place.Heading) {
			return bad(ErrFormat, "the heading of passage %d is not valid UTF-8", i)
		}
	}
	if len(row.Metadata) == 0 {
		return nil
	}
	object, err := (&metadata{object: row.Metadata}).join()
	if err != nil {
		return bad(ErrFormat, "its metadata is not a JSON object").because(err)
	}
	row.Metadata = object
	return nil
}

func (w *Writer) fail(err error, row int64) error {
	return complete(err, "writing", w.path, row, nowhere)
}

// Close syncs the file and atomically gives it its name, replacing an existing file. After an
// error, or without any row, nothing has changed.
func (w *Writer) Close() error {
	if w.done {
		return w.err
	}
	defer w.Abort() // nothing to do after success
	if w.err == nil && w.rows == 0 {
		w.err = w.fail(bad(ErrEmpty, "no row was written, so there is no file"), -1)
	}
	if w.err == nil {
		if w.err = errors.Join(w.enc.finish(), w.temp.sync()); w.err != nil {
			w.err = w.fail(w.err, w.rows-1)
		}
	}
	if w.err == nil && w.side != nil {
		w.err = w.side.Close()
	}
	if w.err == nil {
		if err := w.temp.rename(); err != nil {
			w.err = w.fail(err, -1)
		}
	}
	return w.err
}

// Abort removes the unfinished file. After Close it does nothing. A process that is killed
// leaves its temporary file, NAME.*.tmp.
func (w *Writer) Abort() {
	if w.done {
		return
	}
	w.done = true
	w.temp.remove()
	if w.side != nil {
		w.side.Abort()
	}
}
