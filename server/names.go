package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	stores "github.com/nsfl-go/nsfl/engine/choose"
	"github.com/nsfl-go/nsfl/index"
)

// Names are those of the collections there are, in order.
func (c *Collections) Names() ([]string, error) {
	names, err := c.directories()
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !c.holds(name) })
	for name := range c.outside {
		names = append(names, name)
	}
	if c.demo != nil {
		names = append(names, demoName)
	}
	slices.Sort(names)
	return names, nil
}

// engineOf is what keeps a collection, which need not be open.
func (c *Collections) engineOf(name string) string {
	if s := c.outside[name]; s != nil {
		return stores.Engine(s.address)
	}
	return stores.Engine("")
}

// directories are those that may hold a collection.
func (c *Collections) directories() (names []string, err error) {
	if c.root == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(c.root)
	if err != nil {
		return nil, fmt.Errorf("listing collections: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() && nameForm.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// holds reports whether a directory holds a collection, be it one that cannot be
// opened.
func (c *Collections) holds(name string) bool {
	c.mu.Lock()
	_, open := c.open[name]
	c.mu.Unlock()
	if open {
		return true
	}
	i, err := index.Open(context.Background(), c.dir(name), index.Options{ReadOnly: true})
	if err == nil {
		i.Close()
	}
	return !errors.Is(err, engine.ErrNotCollection)
}
