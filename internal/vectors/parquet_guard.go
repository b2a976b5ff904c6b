package vectors

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/parquet-go/parquet-go"
)

// guard calls the library, which panics on some damaged files.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
		if system := (*fs.PathError)(nil); !errors.As(err, &system) {
			err = orBad(err, "the file is damaged, or of a kind that is not read")
		}
	}()
	return f()
}

// openParquet checks a file's footer before the library reads it.
func openParquet(src *source) (*parquet.File, error) {
	const frame = 4 + 8 // PAR1 …, the length of the description and PAR1
	if src.size < 0 {
		return nil, bad(ErrFormat, "a parquet file is read from its end and cannot come through a pipe; save it first")
	}
	head := src.head()
	if string(head[:min(4, len(head))]) != "PAR1" {
		return nil, bad(ErrFormat, "it is not a parquet file, or an encrypted one%s", likeness(head))
	}
	var end [8]byte
	if src.size >= frame {
		if _, err := src.file.ReadAt(end[:], src.size-8); err != nil {
			return nil, err
		}
	}
	if string(end[4:]) != "PAR1" {
		return nil, bad(ErrTruncated, "it does not end as a parquet file does: it was cut off, or something was appended; copy or save it again")
	}
	size := int64(little.Uint32(end[:]))
	if size > src.size-frame {
		return nil, bad(ErrFormat, "its description of itself would be longer than the file; it is damaged")
	}
	if _, err := skim(src.file, src.size-8-size, src.size-8); err != nil {
		return nil, bad(ErrFormat, "its description of itself cannot be read; it is damaged").because(err)
	}
	var file *parquet.File
	err := guard(func() (err error) {
		file, err = parquet.OpenFile(src.file, src.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(1<<18))
		return err
	})
	return file, err
}
