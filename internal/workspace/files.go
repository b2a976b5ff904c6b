package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/query"
)

// FileNote is the prefix of the notes that record files.
const FileNote = "file:"

// sourceField is the metadata field that names the file of a document; fileField is used
// instead if the document has a sourceField of its own.
const (
	sourceField = "source"
	fileField   = "source_file"
)

// Files returns the fingerprints of the files indexed in a collection, by name. Fields
// that another version did not record are zero.
func Files(ctx context.Context, store engine.Collection) (map[string]ingest.Fingerprint, error) {
	notes, err := store.Notes(ctx, FileNote)
	if err != nil {
		return nil, err
	}
	files := make(map[string]ingest.Fingerprint, len(notes))
	for name, note := range notes {
		var f ingest.Fingerprint
		if json.Unmarshal([]byte(note), &f) != nil {
			f = ingest.Fingerprint{}
		}
		files[strings.TrimPrefix(name, FileNote)] = f
	}
	return files, nil
}

// NoteFiles records fingerprints of files; nil removes one.
func NoteFiles(ctx context.Context, store engine.Collection, files map[string]*ingest.Fingerprint) error {
	notes := make(map[string]string, len(files))
	for name, f := range files {
		note := []byte{}
		if f != nil {
			var err error
			if note, err = json.Marshal(f); err != nil {
				return err
			}
		}
		notes[FileNote+name] = string(note)
	}
	return store.SetNotes(ctx, notes)
}

// FileOf returns the name of the file that a document with this metadata came from, or
// "".
func FileOf(metadata json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(metadata, &fields) != nil {
		return ""
	}
	for _, field := range []string{fileField, sourceField} {
		if name, ok := fields[field].(string); ok {
			return name
		}
	}
	return ""
}

// FingerprintOf returns the fingerprint of the file that a document with this metadata came
// from. Its errors explain why there is none.
func FingerprintOf(ctx context.Context, store engine.Collection, metadata json.RawMessage) (f ingest.Fingerprint, err error) {
	name := FileOf(metadata)
	if name == "" {
		return f, ErrNoFile
	}
	notes, err := store.Notes(ctx, FileNote+name)
	if err != nil {
		return f, err
	}
	if json.Unmarshal([]byte(notes[FileNote+name]), &f) != nil || f.Place == "" {
		return f, fmt.Errorf("the location of %s is not known: %w of this machine", name, ErrNoFile)
	}
	return f, nil
}

// ErrNoFile reports that a document did not come from a file of this machine.
var ErrNoFile = errors.New("it came from no file")

// WithFile adds the name of a document's file to its metadata.
func WithFile(metadata json.RawMessage, file string) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if len(metadata) > 0 {
		if err := json.Unmarshal(metadata, &fields); err != nil {
			return nil, fmt.Errorf("reading the metadata of %s: %w", file, err)
		}
	}
	field := sourceField
	if _, has := fields[field]; has {
		field = fileField
	}
	name, err := json.Marshal(file)
	if err != nil {
		return nil, err
	}
	fields[field] = name
	return json.Marshal(fields)
}

// OfFile returns a filter for documents that may have come from a file; FileOf decides.
func OfFile(file string) query.Node {
	is := func(field string) query.Node {
		return &query.Predicate{Field: field, Op: query.Equal, Value: file}
	}
	return &query.Or{Parts: []query.Node{is(sourceField), is(fileField)}}
}

// documentsOf returns the ids of the documents that came from a file.
func documentsOf(ctx context.Context, store engine.Collection, file string) ([]string, error) {
	ids := map[string]bool{}
	for d, err := range engine.All(ctx, store, engine.Page{Filter: OfFile(file), Limit: 1000, Parts: engine.Metadata}) {
		if err != nil {
			return nil, fmt.Errorf("finding the documents of %s: %w", file, err)
		}
		if FileOf(d.Metadata) == file {
			ids[d.ID] = true
		}
	}
	return slices.Sorted(maps.Keys(ids)), nil
}
