package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/internal/durable"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// Directory returns the directory of a collection under the root, which need not be open.
func (c *Collections) Directory(ctx context.Context, name string) (string, error) {
	place := c.place(name)
	switch {
	case place == "" || !c.holds(ctx, name):
		return "", noCollection(name)
	case stores.External(place):
		return "", reject(ReadOnly, "collection %q is in a remote store; use that store's own tools", name)
	}
	return stores.Directory(place)
}

// Adopt creates a collection from the files that fill writes to an empty directory. It
// appears completely or not at all.
func (c *Collections) Adopt(ctx context.Context, name string, fill func(dir string) error) error {
	if err := c.checkNew(ctx, name); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(c.config.Root, makingPrefix)
	if err != nil {
		return explainRoot(fmt.Errorf("making a collection: %w", err))
	}
	defer os.RemoveAll(temporary)
	made := filepath.Join(temporary, "made")
	if err := os.Mkdir(made, 0o700); err != nil {
		return fmt.Errorf("making a collection: %w", err)
	}
	if err := fill(made); err != nil {
		return err
	}
	c.making.Lock()
	defer c.making.Unlock()
	if err := c.checkNew(ctx, name); err != nil {
		return err
	}
	if err := durable.Rename(made, filepath.Join(c.config.Root, name)); err != nil {
		return fmt.Errorf("making a collection: %w", err)
	}
	return nil
}

// checkNew rejects a name under which no collection can be created in the root.
func (c *Collections) checkNew(ctx context.Context, name string) error {
	_, isPlace := c.config.Places[name]
	switch {
	case !IsName(name):
		return reject(Invalid, "%q cannot be a collection's name: %s", name, NameRule)
	case c.config.Root == "":
		return reject(ReadOnly, "this server has no directory for collections; start it with one")
	case isPlace, name == Demo && c.config.Demo != nil, c.isTaken(name), c.holds(ctx, name):
		return reject(Exists, "collection %q already exists", name)
	}
	return nil
}
