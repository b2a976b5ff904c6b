package index

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"sync"
	"unsafe"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// fileKind is one of the flat files.
type fileKind int

const (
	fileDocs    fileKind = iota // one record for each document
	fileIDs                     // their ids, one after the other
	fileVectors                 // float32 rows of length 1
	fileCodes                   // the rows' codes
	fileScales                  // the codes' scales, float32
	fileWords                   // the pieces of documents' words, uint16
	fileKinds
)

// pieceSize is the length of a piece of a word in the file.
const pieceSize = 2

const (
	ledgerName = "ledger.db"
	lockName   = "lock"
)

// fileName is the name of a flat file. The epoch counts how often the
// collection was compacted, which writes all of them anew.
func (s shape) fileName(k fileKind, epoch int) string {
	ends := [fileKinds]string{fileDocs: "tab", fileIDs: "txt", fileVectors: "f32", fileCodes: "i8", fileScales: "f32", fileWords: "u16"}
	if s.codes == Signs {
		ends[fileCodes] = "b1"
	}
	return fmt.Sprintf("%s-%d.%s", [fileKinds]string{"docs", "ids", "vectors", "codes", "scales", "words"}[k], epoch, ends[k])
}

// flatName matches the names of flat files of whatever epoch.
var flatName = regexp.MustCompile(`^(docs-\d+\.tab|ids-\d+\.txt|(vectors|scales)-\d+\.f32|codes-\d+\.(i8|b1)|words-\d+\.u16)$`)

// lengths is how many bytes of each flat file are committed.
func (s shape) lengths(st state) [fileKinds]int64 {
	rows := int64(st.rows)
	return [fileKinds]int64{
		fileDocs:    int64(st.slots) * recordSize,
		fileIDs:     st.idBytes,
		fileVectors: rows * int64(s.dim) * 4,
		fileCodes:   rows * int64(s.codeSize()),
		fileScales:  rows * 4,
		fileWords:   st.wordPieces * pieceSize,
	}
}

// files are the flat files of an epoch by their kind, open for writing. In format
// 1 there are fewer.
type files []disk.File

// openFiles opens the files of a state's epoch for writing; flag may be
// os.O_CREATE and os.O_TRUNC.
func openFiles(p place, s shape, st state, flag int) (files, error) {
	var f files
	for k := range fileKinds {
		file, err := p.file(s.fileName(k, st.epoch), os.O_RDWR|flag)
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		f = append(f, file)
	}
	return f, nil
}

func (f files) close() error {
	var errs []error
	for _, file := range f {
		errs = append(errs, file.Close())
	}
	return errors.Join(errs...)
}

// cut removes what lies beyond the given lengths.
func (f files) cut(lengths [fileKinds]int64) error {
	for k, file := range f {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		if info.Size() > lengths[k] {
			if err := file.Truncate(lengths[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// reach is damage where files are shorter than what is committed of them: what is
// written then would leave a gap.
func (s *snapshot) reach(f files) error {
	for k, length := range s.lengths(s.state) {
		if k >= len(f) {
			break
		}
		info, err := f[k].Stat()
		if err != nil {
			return err
		}
		if size := info.Size(); size < length {
			return &DamageError{s.dir, endsEarly(s.fileName(fileKind(k), s.epoch), size, length)}
		}
	}
	return nil
}

// endsEarly is the damage of a file that is shorter than what is committed of it.
func endsEarly(name string, size, length int64) Damage {
	return Damage{File: name, Offset: size, Length: length - size,
		Problem: fmt.Sprintf("the file ends at %d bytes, %d were committed", size, length)}
}

// sync brings all files to the disk, at once rather than one after the other.
func (f files) sync() error {
	errs := make([]error, len(f))
	var wg sync.WaitGroup
	for k, file := range f {
		wg.Go(func() { errs[k] = file.Sync() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// sweep removes flat files of other epochs: what an unfinished or just finished
// Compact has left. Where the system does not let go of a mapped file, the next
// writer tries again.
func sweep(p place, s shape, epoch int) error {
	entries, err := p.disk.ReadDir(p.dir)
	if err != nil {
		return err
	}
	keep := map[string]bool{}
	for k := range fileKinds {
		keep[s.fileName(k, epoch)] = true
	}
	for _, e := range entries {
		if name := e.Name(); flatName.MatchString(name) && !keep[name] {
			_ = p.disk.Remove(p.path(name))
		}
	}
	return nil
}

// cast sees the bytes of a file as numbers, or numbers as the bytes of a file.
// The bytes are aligned: they begin a mapping or an allocation of numbers.
func cast[To, From any](from []From) []To {
	if len(from) == 0 {
		return nil
	}
	var f From
	var t To
	return unsafe.Slice((*To)(unsafe.Pointer(&from[0])), len(from)*int(unsafe.Sizeof(f))/int(unsafe.Sizeof(t)))
}

// littleEndian is how numbers lie in the files, which are used as they are.
func littleEndian() bool {
	one := []uint16{1}
	return cast[byte](one)[0] == 1
}
