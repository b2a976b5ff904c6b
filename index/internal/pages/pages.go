// Package pages reads the rows of a SQLite database and its log without SQLite, page by
// page, as far as there is anything to read: SQLite refuses a whole table for one bad
// byte, and a whole log for one bad bit. Whether a row is as it was written the package
// cannot know; that is for checksums in the rows to tell.
//
// The formats are those of https://sqlite.org/fileformat2.html.
package pages

import (
	"encoding/binary"
	"io"
)

// usual is the size of pages that SQLite makes databases with.
const usual = 4096

// Database is a database under its log.
type Database struct {
	file   io.ReaderAt
	log    io.ReaderAt
	size   int              // of a page
	count  uint32           // of pages in the file
	moved  map[uint32]int64 // where in the log the newest of a page is
	frames []int64          // where in the log there are pages, the newest last
}

// Open reads the headers, and which pages the log has. There may be no log: its length
// is 0 then.
func Open(file io.ReaderAt, length int64, log io.ReaderAt, logLength int64) (*Database, error) {
	d := &Database{file: file, log: log, size: usual, moved: map[uint32]int64{}}
	header := make([]byte, 100)
	if _, err := file.ReadAt(header, 0); err == nil {
		d.size = sizeOf(uint32(binary.BigEndian.Uint16(header[16:])))
	}
	d.count = uint32((length + int64(d.size) - 1) / int64(d.size))
	err := d.readLog(logLength)
	return d, err
}

// sizeOf is a size of pages, or the usual one in place of what cannot be one.
func sizeOf(n uint32) int {
	if n == 1 {
		n = 1 << 16
	}
	if n < 512 || n > 1<<16 || n&(n-1) != 0 {
		return usual
	}
	return int(n)
}

// page is the newest of a page, which are numbered from 1. Where the file ends within
// one, the rest is zero.
func (d *Database) page(n uint32) ([]byte, bool) {
	at, moved := d.moved[n]
	if n == 0 || n > d.count && !moved {
		return nil, false
	}
	b := make([]byte, d.size)
	if moved {
		return b, readAt(d.log, b, at)
	}
	return b, readAt(d.file, b, d.offset(n))
}

// offset is where a page is in the file.
func (d *Database) offset(n uint32) int64 { return int64(n-1) * int64(d.size) }

func readAt(r io.ReaderAt, b []byte, at int64) bool {
	_, err := r.ReadAt(b, at)
	return err == nil || err == io.EOF
}
