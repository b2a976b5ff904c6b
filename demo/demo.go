// Package demo embeds a small corpus: some 550 captions of photos, film blurbs, recipes and
// products, all written for this project, with labels for what is in each of them, and
// queries over those labels. With it, search can be tried and its quality measured without a
// network or a file.
//
// LABELS.md defines the labels. The package returns texts; it never knows vectors, encoders,
// engines or scores.
package demo

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
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

//go:embed corpus.jsonl queries.dev.jsonl
var files embed.FS

// Files returns the corpus and the queries as the files of a logic set.
func Files() fs.FS { return files }

// Documents returns the corpus. An error means that the binary was built with a damaged
// file.
func Documents() ([]Document, error) { return read[Document](files, "corpus.jsonl") }

// Queries returns the development queries. An error means that the binary was built with a
// damaged file.
func Queries() ([]Query, error) { return read[Query](files, "queries.dev.jsonl") }

// Version returns a checksum of the corpus.
func Version() string {
	corpus, _ := files.ReadFile("corpus.jsonl") // it is embedded
	sum := sha256.Sum256(corpus)
	return hex.EncodeToString(sum[:8])
}

// read parses each line of a file as JSON.
func read[T any](from fs.FS, name string) (out []T, err error) {
	text, err := fs.ReadFile(from, name)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("reading the demo's %s, line %d: %w; rebuild from a clean checkout", name, len(out)+1, err)
		}
		out = append(out, v)
	}
	return out, nil
}
