package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/indexing"
	"github.com/nsfl-go/nsfl/internal/retry"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/server/client"
)

// target is the collection that files are indexed into: open, not created yet, or on a server.
type target struct {
	indexing.Collection
	place   string // as it may be shown
	picture func(ctx context.Context, name string) ([]float32, error)
	lengths func(most int) (passage.Lengths, error) // of passages that its encoder reads
	close   func() error
	made    engine.Collection // by now; nil where it was there already, or is not here
}

// Close closes the collection.
func (t *target) Close() error {
	if t.close == nil {
		return nil
	}
	return t.close()
}

// isMade reports whether the collection exists by now.
func (t *target) isMade() bool {
	u, ok := t.Collection.(*indexing.LazyCollection)
	return !ok || u.IsMade()
}

// lockTime is how long to wait for another command that has the collection locked, such as
// nsfl index --watch.
const lockTime = 3 * time.Second

// openTarget opens the collection for writing, directly or through its server.
func (c *collectionFlags) openTarget(ctx context.Context, cmd *cobra.Command) (*target, error) {
	place, err := c.place()
	if err != nil {
		return nil, err
	}
	if c.server != "" {
		if c.store != "" || !workspace.IsName(place) {
			return nil, usageError{fmt.Errorf("with --server, -c is the name of a collection on it: %s", workspace.NameRule)}
		}
		return c.openServed(ctx, c.server, place)
	}
	var opened *workspace.Handle
	for began := time.Now(); ; {
		opened, err = workspace.Open(ctx, place, workspace.Options{Encoder: c.encoder})
		if err == nil {
			sayNotices(cmd, opened.Store())
		}
		if !errors.Is(err, engine.ErrLocked) {
			break
		}
		if address, name := holder(cmd, place, err); address != "" {
			return c.openServed(ctx, address, name)
		}
		if time.Since(began) > lockTime {
			return nil, fmt.Errorf("%w; wait until that is done, or name another collection", err)
		}
		if err := retry.Sleep(ctx, lockTime/20); err != nil {
			return nil, err
		}
	}
	if errors.Is(err, engine.ErrNotCollection) {
		return c.prepare(ctx, place)
	}
	if err != nil {
		return nil, err
	}
	return &target{indexing.Open{Handle: opened}, opened.Place, opened.Searcher().Picture, opened.Lengths, opened.Close, nil}, nil
}

// holder returns the address of the server that has a locked collection open, and the
// collection's name there; empty if there is none.
func holder(cmd *cobra.Command, place string, err error) (address, name string) {
	if !errors.Is(err, engine.ErrLocked) {
		return "", ""
	}
	if address, name = workspace.Serving(place); address != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s is served at %s, and changed through the server\n", stores.Shown(place), address)
	}
	return address, name
}

// prepare returns a target that is created with its first document.
func (c *collectionFlags) prepare(ctx context.Context, place string) (*target, error) {
	site, err := workspace.Prepare(ctx, place, c.encoder)
	if err != nil {
		return nil, err
	}
	t := &target{place: stores.Shown(place), picture: site.Picture(), lengths: site.Lengths, close: site.Close}
	t.Collection = indexing.NewLazyCollection(func(ctx context.Context) (indexing.Collection, error) {
		t.close = nil // the encoder is the collection's from here on
		opened, err := site.Make(ctx)
		if err != nil {
			return nil, err
		}
		t.close, t.made = opened.Close, opened.Store()
		return indexing.Open{Handle: opened}, nil
	})
	return t, nil
}

// openServed opens a collection of a server, and creates it if needed.
func (c *collectionFlags) openServed(ctx context.Context, address, name string) (*target, error) {
	server, err := client.New(address)
	if err != nil {
		return nil, usageError{err}
	}
	t := &target{place: fmt.Sprintf("%s at %s", name, server.Address()), Collection: server.Collection(name)}
	word, usual := named.Word(c.encoder), 0
	found, err := server.Describe(ctx, name)
	switch {
	case errors.Is(err, engine.ErrNotCollection):
		t.Collection = indexing.NewLazyCollection(func(ctx context.Context) (indexing.Collection, error) {
			return server.Collection(name), server.Make(ctx, name, c.encoder)
		})
	case err != nil:
		return nil, err
	case c.encoder != "" && word != found.Encoder:
		return nil, fmt.Errorf("%s was made with the encoder %s, not with %s; leave --encoder out, or name another collection", t.place, found.Encoder, c.encoder)
	default:
		word, usual = found.Encoder, found.PassageTokens
	}
	t.lengths = func(most int) (passage.Lengths, error) { return lengthsOf(word, usual, most) }
	return t, nil
}

// lengthsOf returns the lengths of passages for the encoder of a server. Tokens of the built-in
// encoder are counted; those of others are estimated, with a margin.
func lengthsOf(word string, usual, most int) (passage.Lengths, error) {
	if word != builtin.Word {
		return passage.Lengths{Max: cmp.Or(most, usual*3/4)}.WithDefaults()
	}
	e, err := builtin.New()
	if err != nil {
		return passage.Lengths{}, err
	}
	return encoder.Lengths(e, most)
}
