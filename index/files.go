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

// fileKind identifies one of the flat files.
type fileKind int

const (
	fileDocs    fileKind = iota // one record per document
	fileIDs                     // concatenated ids
	fileVectors                 // unit vectors as float32 rows
	fileCodes                   // codes of the rows
	fileScales                  // scales of the codes, float32
	fileWords                   // word pieces, uint16
	fileKinds
)

// pieceSize is the length of a word piece in the file, in bytes.
const pieceSize = 2

const (
	ledgerName = "ledger.db"
	lockName   = "lock"
)

// fileName returns the name of a flat file. The epoch counts compactions, each of which
// rewrites all flat files.
func (s shape) fileName(k fileKind, epoch int) string {
	ends := [fileKinds]string{fileDocs: "tab", fileIDs: "txt", fileVectors: "f32", fileCodes: "i8", fileScales: "f32", fileWords: "u16"}
	return fmt.Sprintf("%s-%d.%s", [fileKinds]string{"docs", "ids", "vectors", "codes", "scales", "words"}[k], epoch, ends[k])
}

// flatName matches the names of flat files of any epoch.
var flatName = regexp.MustCompile(`^(docs-\d+\.tab|ids-\d+\.txt|(vectors|scales)-\d+\.f32|codes-\d+\.i8|words-\d+\.u16)$`)

// lengths returns the committed length of each flat file in bytes.
func (s shape) lengths(st state) [fileKinds]int64 {
	rows := int64(st.rows)
	return [fileKinds]int64{
		fileDocs:    int64(st.slots) * recordSize,
		fileIDs:     st.idBytes,
		fileVectors: rows * int64(s.dim) * 4,
		fileCodes:   rows * int64(s.dim),
		fileScales:  rows * 4,
		fileWords:   st.wordPieces * pieceSize,
	}
}

// files are the flat files of an epoch, indexed by kind and open for writing.
type files []disk.File

// openFiles opens the files of a state's epoch for writing. flag may include os.O_CREATE
// and os.O_TRUNC.
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

// cut truncates the files to the given lengths.
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

// checkLengths returns damage if a file is shorter than its committed length: appending to it
// would leave a gap.
func (s *snapshot) checkLengths(f files) error {
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

// endsEarly describes a file that is shorter than its committed length.
func endsEarly(name string, size, length int64) Damage {
	return Damage{File: name, Offset: size, Length: length - size,
		Problem: fmt.Sprintf("the file has %d bytes, but %d were committed", size, length)}
}

func (f files) sync() error {
	errs := make([]error, len(f))
	var wg sync.WaitGroup
	for k, file := range f {
		wg.Go(func() { errs[k] = file.Sync() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// sweep removes flat files of other epochs, left by an unfinished or just finished
// Compact. If the system refuses to delete a mapped file, the next writer tries again.
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

// cast reinterprets the bytes of a file as numbers, or numbers as bytes. The bytes are
// aligned because they start a mapping or an allocation of numbers.
func cast[To, From any](from []From) []To {
	if len(from) == 0 {
		return nil
	}
	var f From
	var t To
	return unsafe.Slice((*To)(unsafe.Pointer(&from[0])), len(from)*int(unsafe.Sizeof(f))/int(unsafe.Sizeof(t)))
}
