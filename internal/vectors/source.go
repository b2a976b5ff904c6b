package vectors

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// source reads a file sequentially.
type source struct {
	file *os.File
	size int64 // -1: not known, as of a pipe
	at   int64 // of the next byte
	buf  *bufio.Reader
}

func openSource(path string) (*source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	s := &source{file: file, size: -1, buf: bufio.NewReaderSize(file, 1<<20)}
	if info.Mode().IsRegular() {
		s.size = info.Size()
	} else if info.IsDir() {
		file.Close()
		return nil, bad(ErrFormat, "it is a folder; give the files in it one by one")
	}
	return s, nil
}

// head returns the first bytes without consuming them.
func (s *source) head() []byte {
	head, _ := s.buf.Peek(16)
	return head
}

// Read implements io.Reader, for gzip and lines.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.buf.Read(p)
	s.at += int64(n)
	return n, err
}

// fill reads all of p, or returns an error if the file ends too early, io.EOF at the very end.
func (s *source) fill(p []byte) error {
	n, err := io.ReadFull(s.buf, p)
	s.at += int64(n)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return bad(ErrTruncated, "the file ends at byte %d, within what begins at byte %d; copy or save it again", s.at, s.at-int64(n))
	}
	return err
}

// header is fill for required bytes.
func (s *source) header(p []byte) error {
	err := s.fill(p)
	if errors.Is(err, io.EOF) || errors.Is(err, ErrTruncated) {
		return bad(ErrTruncated, "the file ends within its header; it is not a whole npy file")
	}
	return err
}

// left returns the number of remaining bytes, or -1 if unknown.
func (s *source) left() int64 {
	if s.size < 0 {
		return -1
	}
	return s.size - s.at
}

// end returns io.EOF if nothing follows.
func (s *source) end() error {
	_, err := s.buf.ReadByte()
	if err == nil {
		return bad(ErrTrailing, "the file goes on after its last row, at byte %d; its header is wrong or two files were joined: save it again", s.at)
	}
	return err
}
