package hub

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Model says what to pull. Files and Optional hold names, or patterns as
// path.Match has them, in which * stops at a slash.
type Model struct {
	Repository string   // such as sentence-transformers/all-MiniLM-L6-v2
	Revision   string   // a branch, a tag or a commit; empty: main
	Files      []string // each has to be there
	Optional   []string // fetched where it is there
}

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
	for _, list := range [][]string{m.Files, m.Optional} {
		for _, pattern := range list {
			if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
				return fmt.Errorf("%q is neither the name of a file nor a pattern", pattern)
			}
		}
	}
	return nil
}

// plain tells whether s can be a part of the name of a repository or a revision.
func plain(s string) bool {
	return s != "" && s != "." && !strings.Contains(s, "..") && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-+", r))
	})
}

// choose picks the files that m names out of those that the hub has, in the order
// of their names.
func (m *Model) choose(have []File) ([]File, error) {
	used := make([]bool, len(m.Files))
	folded := map[string]string{}
	var chosen []File
	for _, f := range have {
		// All patterns are tried, since each of Files has to match something.
		wanted := matches(m.Optional, f.Name, nil)
		if matches(m.Files, f.Name, used) {
			wanted = true
		}
		if !wanted {
			continue
		}
		if err := checkName(f.Name); err != nil {
			return nil, fmt.Errorf("the hub's file %q is refused: %w", f.Name, err)
		}
		lower := strings.ToLower(f.Name)
		if other, ok := folded[lower]; ok {
			return nil, fmt.Errorf("the hub's files %q and %q would be one on some systems; name only one of them", other, f.Name)
		}
		folded[lower] = f.Name
		chosen = append(chosen, f)
	}
	for i, pattern := range m.Files {
		if !used[i] {
			return nil, fmt.Errorf("%s has no file %s at revision %s; it has %s", m.Repository, pattern, m.Revision, some(have))
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s has none of the optional files at revision %s; it has %s", m.Repository, m.Revision, some(have))
	}
	slices.SortFunc(chosen, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return chosen, nil
}

// matches tells whether any of the patterns matches a name, and notes in used,
// where it is not nil, which of them do.
func matches(patterns []string, name string, used []bool) bool {
	any := false
	for i, pattern := range patterns {
		if ok, _ := path.Match(pattern, name); ok || pattern == name { // its error was seen by check
			any = true
			if used != nil {
				used[i] = true
			}
		}
	}
	return any
}

// some names the first of the files that there are.
func some(have []File) string {
	const shown = 8
	if len(have) == 0 {
		return "no files at all"
	}
	var names []string
	for _, f := range have[:min(len(have), shown)] {
		names = append(names, line(fmt.Sprintf("%q", f.Name), 80))
	}
	text := strings.Join(names, ", ")
	if n := len(have) - shown; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// line is a text on one line and of at most so many runes.
func line(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
