package pages

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

const (
	LogHeader   = 32 // length of the log's header
	FrameHeader = 24 // length of a frame's header, which precedes its page
)

// Sums is a log checksum, which continues from frame to frame.
type Sums [2]uint32

// Next continues a checksum. len(b) must be a multiple of 8.
func (s Sums) Next(order binary.ByteOrder, b []byte) Sums {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
	return s
}

// StoredSums reads a checksum.
func StoredSums(b []byte) Sums {
	return Sums{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// OrderOf returns the byte order of checksums, given the magic number of a log.
func OrderOf(magic uint32) binary.ByteOrder {
	if magic&1 == 1 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Frame is the header of a log frame and its relation to the previous one.
type Frame struct {
	Page, Commit uint32 // Commit is the database size in pages if the frame ends a transaction, else 0
	Salts        uint64
	Sums         Sums
	Continues    bool  // its checksum continues the one stored in the previous frame
	At           int64 // offset of its page in the log
}

// EachFrame calls f with each complete frame of a log and its bytes. before supplies the
// checksum and salts that precede the first frame, which are those of the header.
func EachFrame(r io.ReaderAt, size int64, order binary.ByteOrder, page int, before Frame, f func(Frame, []byte)) error {
	b := make([]byte, FrameHeader+page)
	in := bufio.NewReaderSize(io.NewSectionReader(r, LogHeader, size-LogHeader), int(min(size, 1<<20)))
	for at := int64(LogHeader); at+int64(len(b)) <= size; at += int64(len(b)) {
		switch _, err := io.ReadFull(in, b); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil // the log was truncated meanwhile
		case err != nil:
			return err
		}
		now := Frame{
			Page: binary.BigEndian.Uint32(b), Commit: binary.BigEndian.Uint32(b[4:]),
			Salts: binary.BigEndian.Uint64(b[8:]), Sums: StoredSums(b[16:]), At: at + FrameHeader,
		}
		now.Continues = now.Page != 0 && before.Sums.Next(order, b[:8]).Next(order, b[FrameHeader:]) == now.Sums
		before = now
		f(now, b)
	}
	return nil
}
