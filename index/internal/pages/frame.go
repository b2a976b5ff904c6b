package pages

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

const (
	LogHeader   = 32 // bytes that a log begins with
	FrameHeader = 24 // bytes before the page of a frame
)

// Sums are the two halves of a log's checksum, which each frame continues.
type Sums [2]uint32

// Next continues a checksum over a number of bytes that 8 divides.
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

// OrderOf is the order of bytes in checksums, by the magic number of a log.
func OrderOf(magic uint32) binary.ByteOrder {
	if magic&1 == 1 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Frame is what a frame of the log says, and how it stands to the one before.
type Frame struct {
	Page, Commit uint32 // Commit: the pages of the database, where a transaction ends
	Salts        uint64
	Sums         Sums
	Continues    bool  // its checksum continues that which the frame before has stored
	At           int64 // where its page is in the log
}

// EachFrame calls f for all frames of a log of a size that are there to their end, with
// their bytes. What comes before the first is the header, as far as sums and salts go.
func EachFrame(r io.ReaderAt, size int64, order binary.ByteOrder, page int, before Frame, f func(Frame, []byte)) error {
	b := make([]byte, FrameHeader+page)
	in := bufio.NewReaderSize(io.NewSectionReader(r, LogHeader, size-LogHeader), int(min(size, 1<<20)))
	for at := int64(LogHeader); at+int64(len(b)) <= size; at += int64(len(b)) {
		switch _, err := io.ReadFull(in, b); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil // it was emptied meanwhile
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
