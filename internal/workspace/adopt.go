package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/internal/durable"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// Directory is where a collection of the root is, which need not be open.
func (c *Collections) Directory(ctx context.Context, name string) (string, error) {
	place := c.place(name)
	switch {
	case place == "" || !c.holds(ctx, name):
		return "", noCollection(name)
	case stores.External(place):
		return "", refuse(ReadOnly, "collection %q is in a store elsewhere, which has tools of its own", name)
	}
	return stores.Directory(place)
}

// Adopt makes a collection of what fill writes to an empty directory. It appears whole
// or not at all.
func (c *Collections) Adopt(ctx context.Context, name string, fill func(dir string) error) error {
	if err := c.checkNew(ctx, name); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(c.config.Root, makingPrefix)
	if err != nil {
		return ofRoot(fmt.Errorf("making a collection: %w", err))
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

// checkNew refuses a name that no collection of the root can be made under.
func (c *Collections) checkNew(ctx context.Context, name string) error {
	_, isPlace := c.config.Places[name]
	switch {
	case !IsName(name):
		return refuse(Invalid, "%q cannot be a collection's name: %s", name, NameRule)
	case c.config.Root == "":
		return refuse(ReadOnly, "this server has no directory for collections; name one when it is started")
	case isPlace, name == Demo && c.config.Demo != nil, c.isTaken(name), c.holds(ctx, name):
		return refuse(Exists, "there is a collection %q already", name)
	}
	return nil
}
