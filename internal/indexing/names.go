package indexing

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/nsfl-go/nsfl/internal/ingest"
)

// rename sets the names that sources have in a collection with the given files, and
// returns how many replace a file that no longer exists.
func rename(sources []ingest.Source, files map[string]ingest.Fingerprint) (moved int) {
	names := map[string]string{} // by place
	for name, f := range files {
		if other, ok := names[f.Place]; f.Place != "" && (!ok || name < other) {
			names[f.Place] = name
		}
	}
	taken := map[string]bool{}
	var added []*ingest.Source
	for i := range sources {
		s := &sources[i]
		name, known := names[s.Place]
		if !known {
			added = append(added, s)
			continue
		}
		s.Name = name
		taken[name] = true
	}
	isFree := func(name string, s *ingest.Source) bool {
		was, known := files[name]
		return !taken[name] && (!known || was.Place == "" || was.Place == s.Place || isGone(was.Place))
	}
	for _, s := range added {
		for !isFree(s.Name, s) {
			longer := lengthened(s.Name, s.Place)
			if longer == s.Name || s.Place == "" {
				break // the whole path, which is unique, or not a file
			}
			s.Name = longer
		}
		taken[s.Name] = true
		if was, known := files[s.Name]; known && was.Place != "" {
			moved++
		}
	}
	return moved
}

// lengthened prepends one more component of the place to a name.
func lengthened(name, place string) string {
	whole := filepath.ToSlash(strings.TrimPrefix(place, filepath.VolumeName(place)))
	parts := strings.Split(strings.Trim(whole, "/"), "/")
	n := strings.Count(strings.Trim(name, "/"), "/") + 2
	if n > len(parts) {
		return whole
	}
	return path.Join(slices.Clone(parts[len(parts)-n:])...)
}

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
