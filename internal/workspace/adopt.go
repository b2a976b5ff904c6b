package workspace

import (
	"context"
	"errors"
	"io/fs"
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
	err := durable.Create(filepath.Join(c.config.Root, name), makingPrefix, 0o700, fill)
	if errors.Is(err, fs.ErrExist) { // another caller was faster
		return reject(Exists, "collection %q already exists", name).because(err)
	}
	return explainRoot(err)
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
