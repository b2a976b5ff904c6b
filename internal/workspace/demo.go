package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/durable"
)

// Demo is the name of the built-in collection.
const Demo = "demo"

// OpenDemo opens the demo collection with the given encoder. On first use it calls
// making, creates the collection, and keeps it in the user's cache directory, or for this
// run only if that is not possible.
func OpenDemo(ctx context.Context, word string, making func()) (*Handle, error) {
	e, err := named.Open(ctx, word)
	if err != nil {
		return nil, err
	}
	dir, remove, err := demoDir(ctx, e, making)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	c, err := nsfl.Open(ctx, dir, &nsfl.Config{Encoder: e, Picture: e.Picture, ReadOnly: true})
	if err != nil {
		return nil, errors.Join(err, remove(), e.Close())
	}
	return &Handle{Collection: c, Place: Demo, closers: []func() error{c.Close, remove, e.Close}}, nil
}

// demoDir returns the directory of the demo, creating it if necessary, and a cleanup
// function.
func demoDir(ctx context.Context, e *named.Encoder, making func()) (dir string, remove func() error, err error) {
	nothing := func() error { return nil }
	fill := func(dir string) error { return fillDemo(ctx, dir, e) }
	if parent := named.CacheDir(); parent != "" {
		// One directory per encoder, version of the texts and format, because it is
		// read-only once created.
		sum := sha256.Sum256([]byte(fmt.Sprintf("%+v\x00%s\x00%d", e.Identity(), demo.Version(), index.FormatVersion)))
		dir = filepath.Join(parent, "demo-"+hex.EncodeToString(sum[:8]))
		if Holds(ctx, dir) {
			return dir, nothing, nil
		}
		making()
		if os.MkdirAll(parent, 0o777) == nil && durable.Create(dir, "demo-making-", 0o777, fill) == nil || Holds(ctx, dir) {
			return dir, nothing, nil
		}
	} else {
		making()
	}
	if dir, err = os.MkdirTemp("", "demo-"); err != nil {
		return "", nil, err
	}
	remove = func() error { return os.RemoveAll(dir) }
	if err := fill(dir); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return dir, remove, nil
}

func fillDemo(ctx context.Context, dir string, e *named.Encoder) error {
	docs, err := demoDocuments()
	if err != nil {
		return err
	}
	c, err := nsfl.Open(ctx, dir, &nsfl.Config{Encoder: e})
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // the data is already on disk
	if _, err := c.Encode(ctx, docs); err != nil {
		return err
	}
	return c.Store().Upsert(ctx, docs)
}

// demoDocuments returns the documents of the demo, without vectors.
func demoDocuments() ([]engine.Document, error) {
	texts, err := demo.Documents()
	docs := make([]engine.Document, len(texts))
	for i, d := range texts {
		docs[i] = engine.Document{ID: d.ID, Title: d.Title, Passages: engine.NewPassages(d.Passages), Metadata: d.Metadata}
	}
	return docs, err
}
