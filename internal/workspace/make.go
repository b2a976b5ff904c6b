package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/durable"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// Make creates a collection with the given encoder, or the default if word is empty.
func (c *Collections) Make(ctx context.Context, name, word string) error {
	if word == "" {
		word = c.config.Encoders[0]
	}
	place := c.place(name)
	if place == "" && !IsName(name) {
		return reject(Invalid, "%q cannot be a collection's name: %s", name, NameRule)
	}
	if place == "" {
		return c.CanMake()
	}
	c.making.Lock()
	defer c.making.Unlock()
	if name == Demo && c.config.Demo != nil || !stores.External(place) && (c.holds(ctx, name) || c.isTaken(name)) {
		return reject(Exists, "collection %q already exists", name)
	}
	e, err := c.encoders.get(ctx, word, encoder.Identity{})
	if err != nil {
		return reject(Unavailable, "the encoder %q cannot be opened; see the server's log", word).because(err)
	}
	if s := c.remotes[name]; s != nil {
		return s.make(ctx, e, word)
	}
	return explainRoot(makeDirectory(ctx, place, e, word, 0o700))
}

// explainRoot converts an error caused by the root directory to an Error.
func explainRoot(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return reject(ReadOnly, "the directory for collections cannot be written to").because(err)
	}
	return err
}

// CanMake returns nil if collections can be created under any name, else the reason.
func (c *Collections) CanMake() error {
	if c.config.Root != "" {
		return nil
	}
	return reject(ReadOnly, "the server has no directory for new collections; nsfl serve --collections DIR names one")
}

// isTaken reports whether the root has another entry of that name.
func (c *Collections) isTaken(name string) bool {
	_, isPlace := c.config.Places[name]
	_, err := os.Lstat(c.place(name))
	return err == nil && !isPlace
}

// makeDirectory creates a collection under a temporary name and renames it, so an
// interruption leaves nothing that looks like a collection or blocks its name.
func makeDirectory(ctx context.Context, place string, e *named.Encoder, word string, mode os.FileMode) error {
	dir, err := stores.Directory(place)
	if err != nil {
		return err
	}
	if err := durable.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return fmt.Errorf("making a collection: %w", err)
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("making a collection in %s: it contains other files; use an empty or new directory", dir)
	}
	_ = os.Remove(dir) // it may be an empty directory
	err = durable.Create(dir, makingPrefix, mode, func(dir string) error {
		store, err := newStore(ctx, dir, engine.Options{}, e, word)
		if err != nil {
			return err
		}
		return store.Close()
	})
	if err != nil {
		return fmt.Errorf("making a collection: %w", err)
	}
	return nil
}

// Remove deletes a collection once its users have released it.
func (c *Collections) Remove(ctx context.Context, name string) error {
	if c.remotes[name] != nil {
		return reject(ReadOnly, "collection %q is in a remote store; delete it there, or delete its documents here", name)
	}
	c.making.Lock()
	defer c.making.Unlock()
	o, release, err := c.use(ctx, name)
	var refusal *Error
	var damage *index.DamageError
	switch {
	case err == nil:
	case errors.As(err, &refusal), !errors.As(err, &damage):
		return err
	default: // damaged collections can be deleted too
		return c.erase(name)
	}
	// Until the directory is renamed, others see no such collection.
	gone := &entry{Handle: Handle{Name: name}, ready: make(chan struct{}), closed: make(chan struct{}), err: noCollection(name)}
	close(gone.ready)
	c.mu.Lock()
	o.retired = true
	c.open[name] = gone
	c.mu.Unlock()
	defer c.retire(gone)
	release()
	select {
	case <-o.closed:
	case <-ctx.Done():
		return ctx.Err()
	}
	return c.erase(name)
}

// erase renames a collection durably and then removes it: the next server sweeps what a
// crash leaves.
func (c *Collections) erase(name string) error {
	trash, err := os.MkdirTemp(c.config.Root, deletedPrefix)
	if err != nil {
		return fmt.Errorf("deleting a collection: %w", err)
	}
	if err := durable.Rename(c.place(name), filepath.Join(trash, name)); err != nil {
		return fmt.Errorf("deleting a collection: %w", err)
	}
	if err := durable.RemoveAll(trash); err != nil {
		return fmt.Errorf("deleting a collection: %w", err)
	}
	return nil
}
