package ingest

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreFiles lists the names of ignore files; rules in the later file take precedence.
var ignoreFiles = []string{".gitignore", ".nsflignore"}

// rule is a line of an ignore file.
type rule struct {
	pattern  string
	from     string // the file and the line
	negated  bool   // matching files are read after all
	folder   bool   // applies only to folders
	anchored bool   // matches paths from its folder; else names at any depth
}

// ignore holds the rules of a folder and of its parents.
type ignore struct {
	place string // of the folder, absolute
	rules []rule // the last match decides
	above *ignore
}

// ignoreIn adds the rules in a folder to those above it.
func ignoreIn(place string, above *ignore) *ignore {
	here := &ignore{place: place, above: above}
	for _, name := range ignoreFiles {
		content, err := os.ReadFile(filepath.Join(place, name))
		if err != nil || len(content) > headBytes*16 {
			continue
		}
		number := 0
		for line := range strings.SplitSeq(string(content), "\n") {
			number++
			if r, ok := parseRule(line); ok {
				r.from = fmt.Sprintf("line %d of %s", number, name)
				here.rules = append(here.rules, r)
			}
		}
	}
	if here.rules == nil {
		return above
	}
	return here
}

// ignoreAbove returns the rules from the root of the repository down to the parent of a
// folder.
func ignoreAbove(place string) *ignore {
	var folders []string
	for at := filepath.Dir(place); ; at = filepath.Dir(at) {
		folders = append(folders, at)
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			break
		}
		if at == filepath.Dir(at) { // not in a repository
			return nil
		}
	}
	if _, err := os.Stat(filepath.Join(place, ".git")); err == nil {
		return nil
	}
	var above *ignore
	for i := len(folders) - 1; i >= 0; i-- {
		above = ignoreIn(folders[i], above)
	}
	return above
}

func parseRule(line string) (r rule, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = strings.TrimSuffix(line, " ")
	}
	if line == "" || line[0] == '#' {
		return r, false
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.folder = strings.CutSuffix(line, "/")
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if strings.HasSuffix(line, "/**") { // the contents of the folder, not the folder
		line += "/*"
	}
	r.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
	return r, line != "" && doublestar.ValidatePattern(r.pattern)
}

// match returns the rule that excludes a file or folder, or an empty string.
func (g *ignore) match(place string, folder bool) string {
	for ; g != nil; g = g.above {
		relative, err := filepath.Rel(g.place, place)
		if err != nil {
			continue
		}
		relative = filepath.ToSlash(relative)
		for i := len(g.rules) - 1; i >= 0; i-- {
			r, what := g.rules[i], relative
			if !r.anchored {
				what = path.Base(relative)
			}
			if (!r.folder || folder) && doublestar.MatchUnvalidated(r.pattern, what) {
				if r.negated {
					return ""
				}
				return r.from
			}
		}
	}
	return ""
}

// matchesAny reports whether a path matches one of the globs. A glob without a slash matches
// names.
func matchesAny(globs []string, name string) bool {
	for _, glob := range globs {
		glob = strings.TrimSuffix(glob, "/")
		what := name
		if !strings.Contains(glob, "/") {
			what = path.Base(name)
		}
		if doublestar.MatchUnvalidated(strings.TrimPrefix(glob, "/"), what) {
			return true
		}
	}
	return false
}
