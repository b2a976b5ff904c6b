package hub

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// Model names the files to pull. File names use slashes, as on the hub.
type Model struct {
	Repository string   // for example sentence-transformers/all-MiniLM-L6-v2
	Revision   string   // a branch, a tag or a commit; default: main
	Files      []string // required
	Optional   []string // downloaded if present
}

// Names that the package reserves in a model's directory.
const (
	manifestName = "nsfl-model.json"
	lockName     = "nsfl-model.lock"
	partSuffix   = ".part"
)

func (m *Model) check() error {
	owner, name, two := strings.Cut(m.Repository, "/")
	if !plain(owner) || two && !plain(name) {
		return fmt.Errorf("%q is not the name of a repository; give one such as owner/model", m.Repository)
	}
	if m.Revision == "" {
		m.Revision = "main"
	}
	for part := range strings.SplitSeq(m.Revision, "/") {
		if !plain(part) {
			return fmt.Errorf("%q is not the name of a revision; give a branch, a tag or a commit", m.Revision)
		}
	}
	if len(m.Files)+len(m.Optional) == 0 {
		return errors.New("no files are named")
	}
	for _, name := range slices.Concat(m.Files, m.Optional) {
		if !filepath.IsLocal(filepath.FromSlash(name)) || name == manifestName || name == lockName || strings.HasSuffix(name, partSuffix) {
			return fmt.Errorf("%q cannot be the name of a file of a model", name)
		}
	}
	return nil
}

// plain reports whether s can be part of the name of a repository or revision.
func plain(s string) bool {
	return s != "" && s != "." && !strings.Contains(s, "..") && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-+", r))
	})
}

// choose picks the requested files from those the hub has, sorted by name.
func (m *Model) choose(have map[string]File) ([]File, error) {
	chosen := map[string]File{}
	for i, name := range slices.Concat(m.Files, m.Optional) {
		f, ok := have[name]
		switch {
		case ok && f.SHA256 == "" && f.GitBlob == "":
			return nil, fmt.Errorf("the hub gives no size or no hash for %s, so it cannot be verified; use another hub", name)
		case ok:
			chosen[name] = f
		case i < len(m.Files):
			return nil, fmt.Errorf("%s has no file %s at revision %s; it has %s", m.Repository, name, m.Revision, some(have))
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s has none of the optional files at revision %s; it has %s", m.Repository, m.Revision, some(have))
	}
	return slices.SortedFunc(maps.Values(chosen), func(a, b File) int { return strings.Compare(a.Name, b.Name) }), nil
}

// some lists a few of the existing files.
func some(have map[string]File) string {
	const shown = 8
	if len(have) == 0 {
		return "no files at all"
	}
	names := slices.Sorted(maps.Keys(have))
	text := webclient.Line(fmt.Sprintf("%q", names[:min(len(names), shown)]), 400)
	if n := len(names) - shown; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
