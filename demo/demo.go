// Package demo is a small corpus that travels in the binary: some 550 captions of
// photos, film blurbs, recipes and products, all written for this project, with
// labels that say what is in each of them, and queries over those labels. It lets
// a search be tried, and its quality be measured, without a network or a file.
//
// LABELS.md says what the labels mean. The package hands out texts; it never knows
// vectors, encoders, engines or scores.
package demo

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

// Document is one document of the corpus.
type Document struct {
	ID       string          `json:"_id"`
	Title    string          `json:"title"` // most photos have none
	Passages []string        `json:"passages"`
	Labels   []string        `json:"labels"`
	Metadata json.RawMessage `json:"metadata"` // an object; its "kind" is photo, film, recipe or product
}

// Query is a formula with its truth: the same formula with labels for atoms.
type Query struct {
	ID       string `json:"_id"`
	Template string `json:"template"` // one of the paper's six, such as "A AND NOT B"
	Formula  string `json:"formula"`
	Truth    string `json:"truth"`
}

//go:embed corpus.jsonl
var corpus string

//go:embed queries.dev.jsonl
var queries string

//go:embed corpus.jsonl queries.dev.jsonl
var files embed.FS

// Files are the corpus and the queries as the files of a logic set.
func Files() fs.FS { return files }

// Documents is the corpus. An error means that the binary was built with a damaged
// file.
func Documents() ([]Document, error) { return read[Document]("corpus.jsonl", corpus) }

// Queries are the development queries. An error means that the binary was built
// with a damaged file.
func Queries() ([]Query, error) { return read[Query]("queries.dev.jsonl", queries) }

// Version tells one state of the corpus from another.
func Version() string {
	sum := sha256.Sum256([]byte(corpus))
	return hex.EncodeToString(sum[:8])
}

// read reads one JSON value from each line.
func read[T any](name, text string) ([]T, error) {
	var out []T
	for line := range strings.Lines(text) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, fmt.Errorf("reading the demo's %s, line %d: %w; rebuild from a clean checkout", name, len(out)+1, err)
		}
		out = append(out, v)
	}
	return out, nil
}
