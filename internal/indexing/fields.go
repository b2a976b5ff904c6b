package indexing

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// describe adds the name of its file to a document's metadata and, if the file is that one
// document, the fields path, folder, type, language and modified. Fields of the document's own stay.
func describe(d *engine.Document, s *ingest.Source) (err error) {
	if d.ID == s.Name && s.Path != ingest.StandardInput {
		fields := map[string]any{"path": s.Name, "type": typeOf(s.Name)}
		if folders := foldersOf(s.Name); folders != nil {
			fields["folder"] = folders
		}
		if language := languageOf(d.Text); language != "" {
			fields["language"] = language
		}
		if !s.Modified.IsZero() {
			fields["modified"] = s.Modified.UTC().Format(time.DateOnly)
		}
		if len(d.Metadata) > 0 {
			var own map[string]json.RawMessage
			if err := json.Unmarshal(d.Metadata, &own); err != nil {
				return err
			}
			for name, value := range own {
				fields[name] = value
			}
		}
		if d.Metadata, err = json.Marshal(fields); err != nil {
			return err
		}
	}
	d.Metadata, err = workspace.WithFile(d.Metadata, s.Name)
	return err
}

// word matches the ending of a file name; what follows the dot in "Minutes 12.5" is none.
var word = regexp.MustCompile(`^[a-z0-9]{0,9}[a-z][a-z0-9]{0,9}$`)

// foldersOf returns the folder of a file and all folders above it, so that folder:man also
// finds what is in man/man2.
func foldersOf(name string) (folders []string) {
	for dir := path.Dir(strings.Trim(name, "/")); dir != "."; dir = path.Dir(dir) {
		folders = append([]string{dir}, folders...)
	}
	return folders
}

// typeOf returns the type of a file by its ending, such as pdf or md, or text for names
// without one. Documents of manual pages have a type of their own.
func typeOf(name string) string {
	name = strings.TrimSuffix(strings.ToLower(path.Base(name)), ".gz")
	ending := strings.TrimPrefix(path.Ext(name), ".")
	if !word.MatchString(ending) {
		return "text"
	}
	return ending
}
