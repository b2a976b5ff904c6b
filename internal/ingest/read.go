package ingest

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// unreadable is the reason why the content of a source cannot be used.
type unreadable struct {
	kind   Kind
	reason string
}

func (e *unreadable) Error() string { return e.reason }

func unusable(kind Kind, format string, args ...any) error {
	return &unreadable{kind, fmt.Sprintf(format, args...)}
}

var errBinary = unusable(Binary, "it is not text: it has zero bytes")

func explain(err error) (Kind, string) {
	var u *unreadable
	var corrupt flate.CorruptInputError
	var path *fs.PathError
	switch {
	case errors.As(err, &u):
		return u.kind, err.Error()
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return Malformed, "it is not a valid gzip file: " + err.Error()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Malformed, "it ends too soon; is it complete?"
	case errors.As(err, &path):
		return Unreadable, bare(err).Error()
	}
	return Unreadable, err.Error()
}

// headBytes is the number of bytes examined to detect a file's format.
const headBytes = 64 << 10

// text returns a reader of a file's text, without byte-order mark and converted from UTF-16.
func (k *sink) text(r io.Reader) (*bufio.Reader, error) {
	b, head, err := buffered(r)
	if err != nil {
		return nil, err
	}
	if e := utf16Of(head); e != nil {
		k.utf16 = true
		if b, head, err = buffered(transform.NewReader(b, e.NewDecoder())); err != nil {
			return nil, err
		}
	}
	if isBinary(head) {
		return nil, errBinary
	}
	if mark := "\uFEFF"; bytes.HasPrefix(head, []byte(mark)) {
		_, err = b.Discard(len(mark))
	}
	return b, err
}

func buffered(r io.Reader) (*bufio.Reader, []byte, error) {
	b := bufio.NewReaderSize(r, headBytes)
	head, err := b.Peek(headBytes)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b, head, err
}

// whole reads a file that is one document.
func (k *sink) whole(f *format, text io.Reader) error {
	content, err := readAll(text, k.run.options.limits.of(f))
	if err != nil {
		return err
	}
	d, err := k.draft(f, content)
	if err != nil {
		return err
	}
	switch {
	case f.byPath:
		d.title, _ = cutGzip(k.source.Name)
	case d.title == "" && len(d.blocks) > 0:
		d.title = stem(k.source.Name)
	}
	k.add(d, 0)
	return nil
}

// readAll reads a file that is one document.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = unusable(TooLarge, "it has more than %d bytes, which is the most that is read as one document", limit)
	}
	return content, err
}

func (k *sink) draft(f *format, content []byte) (draft, error) {
	if f.packed != nil {
		return f.packed(newBudget(k.ctx, k.run.options.limits), content)
	}
	switch {
	case isBinary(content):
		return draft{}, errBinary
	case k.utf16 && bytes.ContainsRune(content, utf8.RuneError):
		return draft{}, errUTF16
	}
	toUTF8 := decode
	if f.decode != nil {
		toUTF8 = f.decode
	}
	text, err := toUTF8(content)
	if err != nil {
		return draft{}, err
	}
	return f.whole(newBudget(k.ctx, k.run.options.limits), text)
}

// allowance is a reader that fails when a row exceeds its limit, in bytes or fields. The
// caller resets the limit before each row.
type allowance struct {
	r          io.Reader
	left       int64
	separator  string // between fields; empty: they are not counted
	separators int    // so far
}

func (a *allowance) Read(p []byte) (int, error) {
	switch {
	case a.left <= 0:
		return 0, errLongRow
	case a.separators > maxTextParts:
		return 0, errWideRow
	}
	n, err := a.r.Read(p)
	a.left -= int64(n)
	if a.separator != "" {
		a.separators += bytes.Count(p[:n], []byte(a.separator))
	}
	return n, err
}

var (
	errLongRow = unusable(TooLarge, "a row is larger than the limit for one")
	errWideRow = unusable(TooLarge, "a row has more than %d fields", maxTextParts)
)

// lineReader reads lines of a limited length.
type lineReader struct {
	r      *bufio.Reader
	limit  int64
	number int // of the last line
	line   []byte
}

// next returns the next line without its end. It returns errLongRow if the line is too long,
// after which reading can continue, and io.EOF at the end.
func (l *lineReader) next() ([]byte, error) {
	l.number++
	l.line = l.line[:0]
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if int64(len(l.line)+len(part)) > l.limit {
			long = true
		}
		if !long {
			l.line = append(l.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case long:
			return nil, errLongRow
		case err != nil && len(l.line) == 0:
			return nil, io.EOF
		}
		return bytes.TrimRight(l.line, "\r\n"), nil
	}
}
