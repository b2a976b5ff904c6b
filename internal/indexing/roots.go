package indexing

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// root is a file or folder given by the user.
type root struct {
	path  string // as given
	place string // absolute, without links
	gone  bool   // it does not exist
}

func newRoot(path string) (root, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return root{}, err
	}
	return root{path, placeOf(whole), isGone(whole)}, nil
}

// placeOf returns an absolute path, with links resolved as far as it exists.
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

// holds reports whether a place is the root or below it.
func (r root) holds(place string) bool {
	return place == r.place || strings.HasPrefix(place, strings.TrimSuffix(r.place, string(filepath.Separator))+string(filepath.Separator))
}

// isGone reports whether a place does not exist. A place that cannot be examined is not
// gone.
func isGone(place string) bool {
	_, err := os.Lstat(place)
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
