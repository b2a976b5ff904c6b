package vectors

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/durable"
)

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
	shape shape
	rows  int64
	err   error // the first
	done  bool
}

// Create starts a file, npy or JSON lines by its name; the latter are compressed if it ends in
// .gz. Close gives the file its name, Abort removes it:
//
//	w, err := vectors.Create(path)
//	…
//	defer w.Abort()
//	… w.Write(row) …
//	return w.Close()
func Create(path string) (*Writer, error) {
	name, zipped := strings.CutSuffix(strings.ToLower(path), ".gz")
	extension := filepath.Ext(name)
	switch {
	case extension == ".npy" && zipped:
		return nil, fmt.Errorf("writing %s: only lines are compressed with gzip; leave out .gz", path)
	case extension != ".npy" && extension != ".jsonl" && extension != ".ndjson":
		return nil, fmt.Errorf("writing %s: the file name does not show the format; it has to end in .npy, .jsonl or .jsonl.gz", path)
	}
	temp, err := newTemporary(path)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", path, err)
	}
	if extension == ".npy" {
		return &Writer{path: path, temp: temp, enc: &npyWriter{temp: temp}}, nil
	}
	return &Writer{path: path, temp: temp, enc: newJSONLWriter(temp, zipped)}, nil
}

// Write adds a row. All rows must have vectors of the same dimension; only JSON lines can do
// without. After an error nothing more is written, and Close fails.
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
		return fmt.Errorf("writing %s: row %d: %w", w.path, w.rows, err)
	}
	w.rows++
	return nil
}

// checkText returns an error for text that JSON cannot store.
func checkText(row *Row) (err error) {
	for _, s := range []string{row.ID, row.Title, row.Text, string(row.Metadata)} {
		if !utf8.ValidString(s) {
			return errors.New("its id, title, text or metadata is not valid UTF-8")
		}
	}
	for i, p := range row.Passages {
		if !utf8.ValidString(p.Text) || !utf8.ValidString(p.Place.Heading) {
			return fmt.Errorf("passage %d or its heading is not valid UTF-8", i)
		}
	}
	if row.Metadata, err = joinMetadata(row.Metadata, nil); err != nil {
		return fmt.Errorf("its metadata is not a JSON object: %w", err)
	}
	return nil
}

// Close syncs the file and atomically gives it its name, replacing an existing file. After an
// error, or without any row, nothing has changed.
func (w *Writer) Close() error {
	if w.done {
		return w.err
	}
	defer w.Abort() // nothing to do after success
	if w.err == nil {
		w.err = w.close()
		w.done = w.err == nil
	}
	return w.err
}

func (w *Writer) close() error {
	if w.rows == 0 {
		return fmt.Errorf("writing %s: no row was written, so there is no file", w.path)
	}
	err := w.enc.finish()
	if err == nil {
		err = w.temp.rename()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	return nil
}

// Abort removes the unfinished file. After Close it does nothing. A process that is killed
// leaves its temporary file, NAME.*.tmp.
func (w *Writer) Abort() {
	if !w.done {
		w.done = true
		w.temp.remove()
	}
}

// temporary is a file that gets its name when it is complete.
type temporary struct {
	*bufio.Writer
	file *os.File
	path string // where it goes
}

// newTemporary creates a file in the folder of path, because a rename is atomic only within a
// file system. If path is a link, its target is replaced.
func newTemporary(path string) (*temporary, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, errors.New("it is a folder, a device or a pipe, which a file cannot replace; give the name of a file")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	// Not os.CreateTemp, whose files only the user can read.
	file, err := os.OpenFile(path+"."+rand.Text()+".tmp", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &temporary{Writer: bufio.NewWriterSize(file, 1<<20), file: file, path: path}, nil
}

// rename syncs the file and gives it its name.
func (t *temporary) rename() error {
	// Windows cannot rename an open file.
	if err := errors.Join(t.Flush(), t.file.Sync(), t.file.Close()); err != nil {
		return err
	}
	return durable.Rename(t.file.Name(), t.path)
}

// remove deletes a file that did not get its name.
func (t *temporary) remove() {
	t.file.Close()
	_ = os.Remove(t.file.Name())
}
