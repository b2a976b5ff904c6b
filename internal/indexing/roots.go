package indexing

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// root is a file or a folder that was named.
type root struct {
	path  string // as it was named
	place string // absolute, without links
	gone  bool   // it is not there
}

func newRoot(path string) (root, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return root{}, err
	}
	return root{path, placeOf(whole), isGone(whole)}, nil
}

// placeOf is an absolute path without links, as far as it is there.
func placeOf(whole string) string {
	if place, err := filepath.EvalSymlinks(whole); err == nil {
		return place
	}
	above := filepath.Dir(whole)
	if above == whole {
		return whole
	}
	return filepath.Join(placeOf(above), filepath.Base(whole))
}

// holds reports whether a place is that of the root, or below it.
func (r root) holds(place string) bool {
	return place == r.place || strings.HasPrefix(place, strings.TrimSuffix(r.place, string(filepath.Separator))+string(filepath.Separator))
}

// isGone reports whether nothing is at a place. What cannot be looked at is not gone.
func isGone(place string) bool {
	_, err := os.Lstat(place)
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
