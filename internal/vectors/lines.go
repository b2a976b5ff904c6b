package vectors

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"unicode/utf8"
)

// maxLine is larger than any document that a collection accepts, with its vectors.
const maxLine = 64 << 20

// byteOrderMark is written by some editors before the first line.
const byteOrderMark = "\ufeff"

// lines reads a file of lines, compressed with gzip or not.
type lines struct {
	buf    *bufio.Reader
	number int64 // of the line read last, or that could not be read
	line   []byte
}

func newLines(src *source) (*lines, error) {
	if recognize(src.head()) != JSONL || src.head()[0] != 0x1f {
		return &lines{buf: src.buf}, nil
	}
	z, err := gzip.NewReader(src)
	if err != nil {
		return nil, zipProblem(err)
	}
	return &lines{buf: bufio.NewReaderSize(z, 1<<18)}, nil
}

// next returns the next line that is not blank, without its line break; it is valid until the
// next call.
func (l *lines) next() ([]byte, error) {
	for {
		l.number++
		line, err := l.read()
		if err != nil {
			return nil, err
		}
		if l.number == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		line = bytes.TrimRight(line, "\r\n")
		if !utf8.Valid(line) {
			return nil, bad(ErrFormat, "the line is not valid UTF-8%s; save the file as UTF-8", likeness(line))
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
	}
}

// read returns a line with its line break, which may be missing at the end of the file.
func (l *lines) read() ([]byte, error) {
	l.line = l.line[:0]
	for {
		part, err := l.buf.ReadSlice('\n')
		l.line = append(l.line, part...)
		switch {
		case len(l.line) > maxLine:
			return nil, bad(ErrFormat, "the line has more than %d bytes; write one object on each line, for a list with jq -c '.[]'", maxLine)
		case err == nil, errors.Is(err, io.EOF) && len(l.line) > 0:
			return l.line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, zipProblem(err)
		}
	}
}

func zipProblem(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return bad(ErrTruncated, "the compressed file ends too early; copy it again").because(err)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return bad(ErrFormat, "the compressed file is damaged, or something else follows it; copy it again").because(err)
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) {
		return bad(ErrFormat, "the compressed file is damaged; copy it again").because(err)
	}
	return err
}
