// Package pages reads the rows of a SQLite database and its log without SQLite, page by
// page, salvaging whatever is readable: SQLite rejects a whole table for one bad byte,
// and a whole log for one bad bit. The package cannot know whether a row is intact;
// callers use checksums within the rows.
//
// The formats are documented at https://sqlite.org/fileformat2.html.
package pages

import (
	"encoding/binary"
	"io"
)

// usual is SQLite's default page size.
const usual = 4096

// Database is a database file with its log.
type Database struct {
	file   io.ReaderAt
	log    io.ReaderAt
	size   int              // page size
	count  uint32           // pages in the file
	moved  map[uint32]int64 // log offset of the newest version of a page
	frames []int64          // log offsets of all pages, newest last
}

// Open reads the headers and finds the pages in the log. logLength is 0 if there is no
// log.
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

// sizeOf returns a page size, or the usual one if n is not valid.
func sizeOf(n uint32) int {
	if n == 1 {
		n = 1 << 16
	}
	if n < 512 || n > 1<<16 || n&(n-1) != 0 {
		return usual
	}
	return int(n)
}

// page returns the newest version of page n, counting from 1. If the file ends within the
// page, the rest is zero.
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

// offset returns the position of a page in the file.
func (d *Database) offset(n uint32) int64 { return int64(n-1) * int64(d.size) }

func readAt(r io.ReaderAt, b []byte, at int64) bool {
	_, err := r.ReadAt(b, at)
	return err == nil || err == io.EOF
}
