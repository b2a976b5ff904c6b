package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/query"
)

// sourceField and fileNote are where it is kept which file a document came from.
const (
	sourceField = "source" // of the metadata
	fileNote    = "file:"  // before the name of a file, its fingerprint
)

// indexed is what a run of nsfl index has done.
type indexed struct {
	Documents int           `json:"documents"` // stored
	Files     int           `json:"files"`     // read
	Unchanged int           `json:"unchanged"` // files that were not read
	Removed   int           `json:"removed"`   // documents that are not in their files any more
	Cut       int           `json:"cut"`       // documents with a passage longer than the encoder reads
	Skipped   []ingest.Skip `json:"skipped,omitempty"`
	Seconds   float64       `json:"seconds"`

	skips ingest.Summary
}

// indexer brings a collection up to date with files.
type indexer struct {
	collection *workspace.Opened
	prune      bool
	indexed

	bar    *progress.Bar
	before int64             // the sizes of the sources before this one
	known  map[string]string // the notes about files
	batch  []engine.Document
	parts  int               // the passages in batch
	done   map[string]string // notes about files whose documents are all in batch or stored
}

// batchSize is how many documents are encoded and stored together at most, and
// batchPassages after how many passages a batch is stored: what an interruption loses
// is some seconds of encoding.
const (
	batchSize     = 256
	batchPassages = 256
)

// noteTime is how long an interruption waits for the notes of a batch.
const noteTime = 10 * time.Second

// errUnread says that nothing of a source could be read, which indexer.skip was told
// of. It is tried again the next time.
var errUnread = errors.New("unread")

// reading reads the documents of a source. An error but errUnread ends everything.
type reading func(ctx context.Context, s ingest.Source) iter.Seq2[engine.Document, error]

// run reads those files that have changed, and removes what is not in them any more.
func (x *indexer) run(cmd *cobra.Command, paths []string, o ingest.Options) error {
	ctx := cmd.Context()
	o.Skip = x.skip
	o.Progress = func(bytes int64) { x.bar.Set(x.before + bytes) }
	r, err := ingest.New(o)
	if err != nil {
		return usageError{err}
	}
	read := reading(x.picture)
	if o.Types == nil {
		read = r.Documents
	}
	if x.known, err = x.collection.Store().Notes(ctx, fileNote); err != nil {
		return err
	}
	var sources []ingest.Source
	total := int64(0)
	for s, err := range r.Sources(ctx, paths...) {
		if err != nil {
			return err
		}
		sources = append(sources, s)
		total += s.Size
	}
	if err := x.replaceable(sources); err != nil {
		return err
	}
	x.bar = newBar(cmd, "indexing", total, progress.Bytes)
	defer x.bar.Done("")
	for _, s := range sources {
		if err := x.source(ctx, s, read); err != nil {
			return err
		}
		x.before += s.Size
		x.bar.Set(x.before)
	}
	if err := x.flush(ctx); err != nil {
		return err
	}
	if x.prune {
		return x.forget(ctx, paths)
	}
	return nil
}

// fingerprint is what is noted of a file.
func (x *indexer) fingerprint(name string) (was ingest.Fingerprint, seen bool) {
	note, seen := x.known[fileNote+name]
	if seen && json.Unmarshal([]byte(note), &was) != nil {
		was = ingest.Fingerprint{}
	}
	return was, seen
}

// replaceable is an error where the documents of one file would take the place of
// those of another, which is still there.
func (x *indexer) replaceable(sources []ingest.Source) error {
	for _, s := range sources {
		was, _ := x.fingerprint(s.Name)
		if was.Place == "" || was.Place == s.Place {
			continue
		}
		if _, err := os.Lstat(was.Place); err == nil {
			return fmt.Errorf("%s would replace the documents of %s, since both are %q in the collection; nothing was read. Name a folder that holds both, or another collection", s.Place, was.Place, s.Name)
		}
	}
	return nil
}

// picture reads a file as a document whose vector is the picture's and whose title is
// the file's name.
func (x *indexer) picture(ctx context.Context, s ingest.Source) iter.Seq2[engine.Document, error] {
	return func(yield func(engine.Document, error) bool) {
		vector, err := x.collection.Searcher().Picture(ctx, s.Path)
		if err != nil && ctx.Err() == nil {
			x.skip(ingest.Skip{Path: s.Path, Kind: ingest.Unreadable, Reason: err.Error()})
			yield(engine.Document{}, errUnread)
			return
		}
		name := path.Base(s.Name)
		yield(engine.Document{ID: s.Name, Title: strings.TrimSuffix(name, path.Ext(name)), Vector: vector}, ctx.Err())
	}
}

// skip counts what was not read.
func (x *indexer) skip(s ingest.Skip) {
	const shown = 1000 // as JSON; the counts are complete
	x.skips.Add(s)
	if len(x.Skipped) < shown {
		x.Skipped = append(x.Skipped, s)
	}
}

// source reads one file, unless it is as it was.
func (x *indexer) source(ctx context.Context, s ingest.Source, read reading) error {
	was, seen := x.fingerprint(s.Name)
	now, same, err := s.Compare(ctx, was)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && same {
		x.Unchanged++
		x.bar.Skip(s.Size)
		if now == was {
			return nil
		}
		return x.note(s, now)
	}
	// A file that cannot be compared cannot be read either: reading it says why.
	ids := map[string]bool{}
	for d, err := range read(ctx, s) {
		if errors.Is(err, errUnread) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(x.batch) == batchSize || x.parts >= batchPassages {
			if err := x.flush(ctx); err != nil {
				return err
			}
		}
		if d.Metadata, err = withSource(d.Metadata, s.Name); err != nil {
			return err
		}
		ids[d.ID] = true
		x.batch, x.parts = append(x.batch, d), x.parts+len(d.Passages)
	}
	if seen {
		if err := x.flush(ctx); err != nil {
			return err
		}
		if err := x.remove(ctx, s.Name, ids); err != nil {
			return err
		}
	}
	if err != nil {
		return nil // it has been told as a skip
	}
	x.Files++
	return x.note(s, now)
}

// note keeps what is known of a file, with the next batch.
func (x *indexer) note(s ingest.Source, now ingest.Fingerprint) error {
	fingerprint, err := json.Marshal(now)
	x.done[fileNote+s.Name] = string(fingerprint)
	return err
}

// flush stores the batch, then notes the files that are done.
func (x *indexer) flush(ctx context.Context) error {
	if len(x.batch) > 0 {
		cut, err := x.collection.Encode(ctx, x.batch)
		if err != nil {
			return err
		}
		if err := x.collection.Store().Upsert(ctx, x.batch); err != nil {
			return err
		}
		x.Documents += len(x.batch)
		x.Cut += len(cut)
		x.batch, x.parts = x.batch[:0], 0
	}
	if len(x.done) == 0 {
		return nil
	}
	// What is stored is noted, also where it is interrupted in between.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	err := x.collection.Store().SetNotes(ctx, x.done)
	clear(x.done)
	return err
}

// remove deletes the documents of a file, but for some.
func (x *indexer) remove(ctx context.Context, file string, but map[string]bool) error {
	var gone []string
	of := engine.Page{Filter: &query.Predicate{Field: sourceField, Op: query.Equal, Value: file}, Limit: 4 * batchSize}
	for d, err := range engine.All(ctx, x.collection.Store(), of) {
		if err != nil {
			return fmt.Errorf("finding the documents of %s: %w", file, err)
		}
		if !but[d.ID] {
			gone = append(gone, d.ID)
		}
	}
	n, err := x.collection.Delete(ctx, gone...)
	x.Removed += n
	return err
}

// forget removes what came from files below some paths that are not there any more.
// Where a file was that an earlier version has noted is not known: it stays.
func (x *indexer) forget(ctx context.Context, paths []string) error {
	for note := range x.known {
		name := strings.TrimPrefix(note, fileNote)
		was, _ := x.fingerprint(name)
		if _, err := os.Lstat(was.Place); was.Place == "" || !errors.Is(err, fs.ErrNotExist) || !below(was.Place, paths) {
			continue
		}
		if err := x.remove(ctx, name, nil); err != nil {
			return err
		}
		if err := x.collection.Store().SetNotes(ctx, map[string]string{note: ""}); err != nil {
			return err
		}
	}
	return nil
}

// below reports whether a place is in one of some folders.
func below(place string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		root, err := filepath.Abs(folder)
		if err == nil {
			root, err = filepath.EvalSymlinks(root)
		}
		return err == nil && strings.HasPrefix(place, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
	})
}

// withSource adds the file's name to the metadata, unless they have such a field.
func withSource(metadata json.RawMessage, file string) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if len(metadata) > 0 {
		if err := json.Unmarshal(metadata, &fields); err != nil {
			return nil, fmt.Errorf("reading the metadata of %s: %w", file, err)
		}
	}
	if _, has := fields[sourceField]; !has {
		name, err := json.Marshal(file)
		if err != nil {
			return nil, err
		}
		fields[sourceField] = name
	}
	return json.Marshal(fields)
}

// print says what was done and what was not read.
func (x *indexer) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d documents stored from %d files in %.1f s", x.collection.Place, x.Documents, x.Files, x.Seconds)
	if x.Unchanged > 0 {
		fmt.Fprintf(w, "; %d files unchanged", x.Unchanged)
	}
	if x.Removed > 0 {
		fmt.Fprintf(w, "; %d documents removed", x.Removed)
	}
	fmt.Fprintln(w)
	if x.Cut > 0 {
		fmt.Fprintf(w, "%d documents have a passage that is longer than the encoder reads\n", x.Cut)
	}
	fmt.Fprint(w, x.skips.String())
}
