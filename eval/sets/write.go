package sets

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteLogic writes a logic set with one split to a new folder, atomically. The corpus is
// compressed; equal sets make equal files.
func WriteLogic(dir string, docs []Document, split string, queries []Query) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing a logic set to %s: %w", dir, err)
		}
	}()
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if _, err := os.Lstat(dir); err == nil {
		return errors.New("it already exists; choose another folder")
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	partial, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".partial-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	if err := os.Chmod(partial, 0o755); err != nil { // MkdirTemp restricts it to one user
		return err
	}
	err = writeFile(filepath.Join(partial, corpusName+".gz"), func(w io.Writer) error {
		packed := gzip.NewWriter(w)
		for _, d := range docs {
			if err := writeLine(packed, d); err != nil {
				return err
			}
		}
		return packed.Close()
	})
	if err != nil {
		return err
	}
	err = writeFile(filepath.Join(partial, queriesName(split)), func(w io.Writer) error {
		for _, q := range queries {
			if err := writeLine(w, logicQuery{q.ID, q.Template, q.Formula, q.Truth}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return os.Rename(partial, dir)
}

// writeFile creates a file and flushes it to disk.
func writeFile(path string, write func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err = write(w); err == nil {
		err = errors.Join(w.Flush(), f.Sync())
	}
	return errors.Join(err, f.Close())
}

func writeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w) // ends with a line end
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
