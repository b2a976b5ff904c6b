package main

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// pictureTypes are the endings of files that are taken for pictures.
var pictureTypes = []string{".jpg", ".jpeg", ".png"}

// pictures reads the pictures in files and folders, each as a document whose
// vector is the picture's and whose title is the file's name.
func (x *indexer) pictures(cmd *cobra.Command, paths []string) error {
	encode := x.collection.Searcher().Picture
	if encode == nil {
		return usageError{fmt.Errorf("the encoder %s reads no pictures; name one that does, such as --encoder clip-vit-base-patch32, for a new collection", x.collection.Encoder().Identity().Name)}
	}
	sources, err := findPictures(cmd.Context(), paths)
	if err != nil {
		return err
	}
	return x.run(cmd, sources, func(ctx context.Context, s ingest.Source) iter.Seq2[engine.Document, error] {
		return func(yield func(engine.Document, error) bool) {
			vector, err := encode(ctx, s.Path)
			if err != nil && ctx.Err() == nil {
				x.skip(ingest.Skip{Path: s.Path, Kind: ingest.Unreadable, Reason: err.Error()})
				yield(engine.Document{}, errUnread)
				return
			}
			name := path.Base(s.Name)
			yield(engine.Document{ID: s.Name, Title: strings.TrimSuffix(name, path.Ext(name)), Vector: vector}, ctx.Err())
		}
	})
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
