package indexing

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

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
