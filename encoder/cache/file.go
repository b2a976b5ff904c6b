package cache

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/lockfile"
)

// mostBytes is the size beyond which a file is started again.
const mostBytes = 4 << 30

// Open returns an encoder that caches vectors in a file in a directory, which is created if
// necessary. There is one file for each identity, and one process at a time uses it: for
// others, Open returns lockfile.ErrTaken.
func Open(inner encoder.Encoder, dir string) (*Encoder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	// Go's %#v notation has every field, including those added to the type later.
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", inner.Identity()))
	name := filepath.Join(dir, fmt.Sprintf("%x.vectors", sum[:8]))
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	s := &file{File: f, record: len(key{}) + 4*inner.Identity().Dimension + overhead, known: map[key]int64{}}
	if err = lockfile.Take(f); err == nil {
		err = s.load()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Encoder{Encoder: inner, store: s}, nil
}

// file is a store in a file: a list of records of the same size, to which it appends. A record
// is a key, the vector's little-endian float32s, a byte that is 1 for a cut text, and a checksum
// of all that.
type file struct {
	*os.File
	record int
	known  map[key]int64 // places of records
	end    int64
	failed bool // the disk is full or broken: nothing more is stored
}

const overhead = 1 + 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// load reads the keys. An interrupted process may have left part of a record at the end.
func (s *file) load() error {
	in := bufio.NewReaderSize(s.File, 1<<20)
	for record := make([]byte, s.record); ; s.end += int64(s.record) {
		_, err := io.ReadFull(in, record)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		if s.end > mostBytes {
			s.end = 0
			clear(s.known)
			return s.Truncate(0)
		}
		if err != nil { // the end of the file
			return nil //nolint:nilerr // only whole records count
		}
		s.known[key(record)] = s.end
	}
}

func (s *file) get(k key) (e entry, ok bool) {
	at, ok := s.known[k]
	record := make([]byte, s.record)
	if !ok {
		return e, false
	}
	if _, err := s.ReadAt(record, at); err != nil {
		return e, false
	}
	content := record[:s.record-4]
	if key(record) != k || crc32.Checksum(content, castagnoli) != binary.LittleEndian.Uint32(record[len(content):]) {
		return e, false
	}
	numbers := content[len(k) : len(content)-1]
	e = entry{k, make([]float32, len(numbers)/4), content[len(content)-1] == 1}
	for i := range e.vector {
		e.vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*i:]))
	}
	return e, true
}

func (s *file) put(e entry) {
	if s.failed || len(e.vector) != (s.record-len(e.key)-overhead)/4 {
		return
	}
	record := append(make([]byte, 0, s.record), e.key[:]...)
	for _, x := range e.vector {
		record = binary.LittleEndian.AppendUint32(record, math.Float32bits(x))
	}
	if e.cut {
		record = append(record, 1)
	} else {
		record = append(record, 0)
	}
	record = binary.LittleEndian.AppendUint32(record, crc32.Checksum(record, castagnoli))
	if _, err := s.WriteAt(record, s.end); err != nil {
		s.failed = true
		return
	}
	s.known[e.key] = s.end
	s.end += int64(s.record)
}

func (s *file) close() error { return s.Close() }
