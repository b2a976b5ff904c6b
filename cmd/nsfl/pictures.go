package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/progress"
)

// pictureTypes are the endings of files that are taken for pictures.
var pictureTypes = []string{".jpg", ".jpeg", ".png"}

// pictures reads the pictures in files and folders, each as a document whose
// vector is the picture's and whose title is the file's name.
func (x *indexer) pictures(ctx context.Context, paths []string, encode func(context.Context, string) ([]float32, error), newBar func(int64) *progress.Bar) error {
	sources, err := findPictures(ctx, paths)
	if err != nil {
		return err
	}
	if x.known, err = x.collection.Store().Notes(ctx, fileNote); err != nil {
		return err
	}
	bar := newBar(int64(len(sources)))
	defer bar.Done("")
	var batch []engine.Document
	x.done = map[string]string{}
	flush := func() error {
		if err := x.collection.Store().Upsert(ctx, batch); err != nil {
			return err
		}
		x.Documents += len(batch)
		batch = batch[:0]
		return x.flush(ctx)
	}
	for _, s := range sources {
		var was ingest.Fingerprint
		if note, seen := x.known[fileNote+s.Name]; seen && json.Unmarshal([]byte(note), &was) != nil {
			was = ingest.Fingerprint{}
		}
		now, same, err := s.Compare(ctx, was)
		if err == nil && same {
			x.Unchanged++
			bar.Skip(1)
			continue
		}
		vector, err := encode(ctx, s.Path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			x.skip(ingest.Skip{Path: s.Path, Kind: ingest.Unreadable, Reason: err.Error()})
			bar.Add(1)
			continue
		}
		metadata, err := withSource(nil, s.Name)
		if err != nil {
			return err
		}
		name := path.Base(s.Name)
		batch = append(batch, engine.Document{ID: s.Name, Title: strings.TrimSuffix(name, path.Ext(name)), Metadata: metadata, Vector: vector})
		fingerprint, err := json.Marshal(now)
		if err != nil {
			return err
		}
		x.done[fileNote+s.Name] = string(fingerprint)
		x.Files++
		bar.Add(1)
		if len(batch) == batchSize/4 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if x.prune {
		return x.forget(ctx, sources)
	}
	return nil
}

// findPictures finds files that look like pictures; hidden ones are passed over.
func findPictures(ctx context.Context, paths []string) (sources []ingest.Source, err error) {
	for _, root := range paths {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if p != root && strings.HasPrefix(d.Name(), ".") {
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			}
			if !slices.Contains(pictureTypes, strings.ToLower(filepath.Ext(p))) {
				return nil
			}
			info, err := os.Stat(p) // a link is followed
			if err != nil || !info.Mode().IsRegular() {
				return err
			}
			name, err := filepath.Rel(root, p)
			if err != nil || name == "." {
				name = filepath.Base(p)
			}
			sources = append(sources, ingest.Source{Path: p, Name: filepath.ToSlash(name), Size: info.Size(), Modified: info.ModTime()})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return sources, nil
}
