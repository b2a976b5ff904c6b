package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Collections are the collections to offer. They are safe for concurrent use.
type Collections interface {
	// Names returns the sorted names of the collections.
	Names(ctx context.Context) ([]string, error)
	// Use returns the collection of a name, valid until release is called. Set write to
	// change documents. It may wait if too many are in use.
	Use(ctx context.Context, name string, write bool) (c *workspace.Handle, release func(), err error)
	// Make creates a collection with an encoder, or the default if word is empty.
	Make(ctx context.Context, name, word string) error
}

// find returns the name of the collection that an agent means. An empty name means the only
// one.
func (t *tools) find(ctx context.Context, name string) (string, error) {
	names, err := t.collections.Names(ctx)
	switch {
	case err != nil:
		return "", err
	case slices.Contains(names, name):
		return name, nil
	case name == "" && len(names) == 1:
		return names[0], nil
	case name == "":
		return "", advise("name a collection: %s", listed(names))
	}
	return "", advise("there is no collection %q: %s", name, listed(names))
}

// use is Collections.Use for the collection that an agent means. release explains the error
// of the call.
func (t *tools) use(ctx context.Context, name string, write bool) (c *workspace.Handle, found string, release func(*error), err error) {
	if found, err = t.find(ctx, name); err != nil {
		return nil, "", nil, err
	}
	c, done, err := t.collections.Use(ctx, found, write)
	return c, found, func(err *error) {
		done()
		if *err != nil && known(*err) == nil {
			*err = c.Explain(ctx, *err)
		}
	}, err
}

// listed lists names of collections for a message.
func listed(names []string) string {
	const most = 30
	if len(names) == 0 {
		return "there are none yet"
	}
	quoted := make([]string, 0, most+1)
	for _, n := range names[:min(most, len(names))] {
		quoted = append(quoted, fmt.Sprintf("%q", n))
	}
	if len(names) > most {
		quoted = append(quoted, fmt.Sprintf("and %d more", len(names)-most))
	}
	return "there is " + strings.Join(quoted, ", ")
}
