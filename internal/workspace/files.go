package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/query"
)

// FileNote stands before the name of a file in the note that a collection keeps of it.
const FileNote = "file:"

// sourceField is the field of the metadata that names the file a document came from,
// and fileField the one that does where the document has a sourceField of its own.
const (
	sourceField = "source"
	fileField   = "source_file"
)

// Files are those whose documents a collection has, by name. What is not known of one
// that another version has noted is zero.
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

// NoteFiles keeps what is known of files; nil forgets one.
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

// FileOf is the name of the file that a document with such metadata came from; empty:
// none.
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

// PlaceOf is where the file is that a document with such metadata came from. Its errors say
// why there is none.
func PlaceOf(ctx context.Context, store engine.Collection, metadata json.RawMessage) (string, error) {
	name := FileOf(metadata)
	if name == "" {
		return "", errors.New("it came from no file")
	}
	notes, err := store.Notes(ctx, FileNote+name)
	if err != nil {
		return "", err
	}
	var f ingest.Fingerprint
	if json.Unmarshal([]byte(notes[FileNote+name]), &f) != nil || f.Place == "" {
		return "", fmt.Errorf("where %s is, is not known: it came from standard input, or from another machine", name)
	}
	info, err := os.Stat(f.Place)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("its file %s is gone; nsfl index with --prune forgets such files", f.Place)
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a file any more", f.Place)
	}
	return f.Place, nil
}

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

// OfFile passes the documents that may have come from a file: FileOf tells of each
// whether it has.
func OfFile(file string) query.Node {
	is := func(field string) query.Node {
		return &query.Predicate{Field: field, Op: query.Equal, Value: file}
	}
	return &query.Or{Parts: []query.Node{is(sourceField), is(fileField)}}
}

// DocumentsOf are the ids of the documents that came from a file.
func DocumentsOf(ctx context.Context, store engine.Collection, file string) ([]string, error) {
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
