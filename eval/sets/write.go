package sets

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteLogic writes a logic set with one split to a new folder, which it removes after an
// error. The corpus is compressed; equal sets make equal files.
func WriteLogic(dir string, docs []Document, split string, queries []Query) error {
	err := os.Mkdir(dir, 0o777)
	if err == nil {
		if err = writeLogic(dir, docs, split, queries); err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	if err != nil {
		return fmt.Errorf("writing a logic set to %s: %w", dir, err)
	}
	return nil
}

func writeLogic(dir string, docs []Document, split string, queries []Query) error {
	err := writeFile(filepath.Join(dir, corpusName+".gz"), func(w io.Writer) error {
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
	return writeFile(filepath.Join(dir, queriesName(split)), func(w io.Writer) error {
		for _, q := range queries {
			if err := writeLine(w, logicQuery{q.ID, q.Template, q.Formula, q.Truth}); err != nil {
				return err
			}
		}
		return nil
	})
}

func writeFile(path string, write func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(write(w), w.Flush(), f.Close())
}

func writeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w) // ends with a line end
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
