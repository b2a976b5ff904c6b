package sets

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
)

// maxLine limits the length of a line, and so the memory for a file without line breaks.
const maxLine = 64 << 20

// open opens path, or path.gz if path does not exist. It returns the file to close, its contents
// and its name for messages.
func open(path string) (f *os.File, contents io.Reader, name string, err error) {
	f, err = os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(path, ".gz") {
		f, err = os.Open(path + ".gz")
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, "", fmt.Errorf("reading evaluation data: neither %s nor %s.gz exists: %w", path, path, fs.ErrNotExist)
		}
		path += ".gz"
	}
	if err != nil {
		return nil, nil, "", fmt.Errorf("reading evaluation data: %w", err)
	}
	contents = f
	if strings.HasSuffix(path, ".gz") {
		if contents, err = gzip.NewReader(f); err != nil {
			return nil, nil, "", errors.Join(fmt.Errorf("reading %s: it is not a gzip file: %w", path, err), f.Close())
		}
	}
	return f, contents, path, nil
}

// line is one line of a file, without its end.
type line struct {
	file string
	n    int // from 1
	text []byte
}

// fail returns an error that names the line.
func (l line) fail(format string, args ...any) error {
	return fmt.Errorf("reading %s, line %d: %w", l.file, l.n, fmt.Errorf(format, args...))
}

func (l line) decode(into any) error {
	if err := json.Unmarshal(l.text, into); err != nil {
		return l.fail("unexpected JSON: %w", err)
	}
	return nil
}

// lines yields the lines of r that are not blank. A line's text is valid until the next one.
func lines(name string, r io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		s := bufio.NewScanner(r)
		s.Buffer(nil, maxLine)
		n := 0
		for s.Scan() {
			n++
			text := s.Bytes()
			if n == 1 {
				text = bytes.TrimPrefix(text, []byte("\ufeff"))
			}
			if len(bytes.TrimSpace(text)) == 0 {
				continue
			}
			if !yield(line{name, n, text}, nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)
			}
			yield(line{}, line{file: name, n: n + 1}.fail("%w", err))
		}
	}
}

// fileLines yields the lines of a file, which is opened again for every loop.
func fileLines(path string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		f, contents, name, err := open(path)
		if err != nil {
			yield(line{}, err)
			return
		}
		defer f.Close()
		for l, err := range lines(name, contents) {
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// records calls f with every line of a file as JSON. A file without lines is an error.
func records[T any](path, what string, f func(l line, record T) error) error {
	n := 0
	for l, err := range fileLines(path) {
		if err != nil {
			return err
		}
		var record T
		if err := l.decode(&record); err != nil {
			return err
		}
		if err := f(l, record); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return fmt.Errorf("reading %s: it contains no %s", path, what)
	}
	return nil
}

// documents yields the documents that read parses from each line of a corpus.
func documents(path string, read func(line) (Document, error)) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for l, err := range fileLines(path) {
			var d Document
			if err == nil {
				d, err = read(l)
			}
			if err != nil {
				yield(Document{}, err)
				return
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
