package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/internal/progress"
)

// openDemo opens the demo collection, which is made on first use and kept among
// the user's caches, or for this run only where that cannot be.
func openDemo(cmd *cobra.Command, word string) (*opened, error) {
	ctx := cmd.Context()
	e, err := named.Open(ctx, word)
	if err != nil {
		return nil, err
	}
	o, err := demoWith(ctx, e, cmd.ErrOrStderr())
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	o.closers = append(o.closers, e.Close)
	return o, nil
}

func demoWith(ctx context.Context, e *named.Encoder, notes io.Writer) (*opened, error) {
	config := nsfl.Config{Encoder: e, Picture: e.Picture, ReadOnly: true}
	dir, kept := demoDir(e)
	if kept {
		if c, err := nsfl.OpenWith(ctx, dir, config); err == nil {
			return &opened{Collection: c, closers: []func() error{c.Close}}, nil
		}
	}
	if progress.IsTerminal(notes) {
		fmt.Fprintln(notes, "encoding the demo's texts, this once …")
	}
	// It is made beside its place and then moved there, so that an interrupted
	// run leaves nothing that looks complete.
	parent := filepath.Dir(dir)
	if !kept || os.MkdirAll(parent, 0o777) != nil {
		kept, parent = false, ""
	}
	temporary, err := os.MkdirTemp(parent, "demo-making-")
	if err != nil {
		if temporary, err = os.MkdirTemp("", "nsfl-demo-"); err != nil {
			return nil, err
		}
		kept = false
	}
	remove := func() error { return os.RemoveAll(temporary) }
	if err := fillDemo(ctx, temporary, e); err != nil {
		return nil, errors.Join(err, remove())
	}
	if kept && os.Rename(temporary, dir) == nil {
		temporary = dir
		remove = func() error { return nil }
	}
	c, err := nsfl.OpenWith(ctx, temporary, config)
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	return &opened{Collection: c, closers: []func() error{c.Close, remove}}, nil
}

// demoDir is where the collection is kept: a place for each encoder and for each
// version of the texts.
func demoDir(e *named.Encoder) (dir string, ok bool) {
	caches, err := os.UserCacheDir()
	if err != nil || os.Getenv(named.CacheEnv) == "off" {
		return "", false
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%+v\x00%s", e.Identity(), demo.Version())))
	return filepath.Join(caches, "nsfl", "demo-"+hex.EncodeToString(sum[:8])), true
}

func fillDemo(ctx context.Context, dir string, e *named.Encoder) error {
	docs, err := demo.Documents()
	if err != nil {
		return err
	}
	c, err := nsfl.OpenWith(ctx, dir, nsfl.Config{Encoder: e})
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // what is stored is on the disk
	all := make([]nsfl.Document, len(docs))
	for i, d := range docs {
		all[i] = nsfl.Document{ID: d.ID, Title: d.Title, Passages: d.Passages, Metadata: d.Metadata}
	}
	return c.Add(ctx, all...)
}
