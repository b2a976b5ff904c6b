package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/indexing"
	"github.com/nsfl-go/nsfl/internal/retry"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/server/client"
)

// target is the collection that files are indexed into, here or on a server.
type target interface {
	indexing.Collection
	fmt.Stringer                                               // where it is
	Exists() bool                                              // by now
	Lengths(most int) (passage.Lengths, error)                 // of passages for its encoder
	Picture() func(context.Context, string) ([]float32, error) // nil if the encoder does not read pictures
	Close() error
}

// lockTime is how long to wait for another command that has the collection locked, such as
// nsfl index --watch.
const lockTime = 3 * time.Second

// openTarget opens the collection for writing, directly or through its server.
func (c *collectionFlags) openTarget(ctx context.Context, cmd *cobra.Command) (target, error) {
	place, err := c.place()
	if err != nil {
		return nil, err
	}
	if c.server != "" {
		if !workspace.IsName(place) {
			return nil, usageError{fmt.Errorf("with --server, -c is the name of a collection on it: %s", workspace.NameRule)}
		}
		return c.openServed(ctx, c.server, place)
	}
	for began := time.Now(); ; {
		opened, err := workspace.Open(ctx, place, workspace.Options{Encoder: c.encoder, Make: true})
		if err == nil {
			if opened.Exists() {
				printNotices(cmd, opened.Store())
			}
			return opened, nil
		}
		if !errors.Is(err, engine.ErrLocked) {
			return nil, err
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

// openServed returns a collection of a server.
func (c *collectionFlags) openServed(ctx context.Context, address, name string) (target, error) {
	served, err := client.New(address, name)
	if err != nil {
		return nil, usageError{err}
	}
	return served, served.Find(ctx, c.encoder)
}
