// Package doc holds the documentation: the page that the program shows, and all pages as a
// known-item set, with the questions that people may have.
package doc

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed *.md
var files embed.FS

//go:embed query.md
var query string

//go:embed queries.dev.jsonl
var queries []byte

// Language returns the query language on one page.
func Language() string {
	page, _, _ := strings.Cut(query, "\n## ")
	return page
}

// page is a section of the documentation.
type page struct {
	ID    string `json:"_id"` // file/heading
	Title string `json:"title"`
	Text  string `json:"text"`
}

// WriteKnown writes the sections of the documentation, and the questions about them, as the
// files of a known-item set.
func WriteKnown(dir string) error {
	names, err := fs.Glob(files, "*.md")
	if err != nil {
		return err
	}
	var corpus bytes.Buffer
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		for _, p := range sections(strings.TrimSuffix(name, ".md"), string(text)) {
			if err := json.NewEncoder(&corpus).Encode(p); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "corpus.jsonl"), corpus.Bytes(), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "queries.dev.jsonl"), queries, 0o600)
}
