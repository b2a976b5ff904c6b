package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Collections are what is offered. They are safe for concurrent use.
type Collections interface {
	// Names are those of the collections there are, in order.
	Names(ctx context.Context) ([]string, error)
	// Use is the collection of a name, until release is called. To write it, say
	// so: that may be refused. It may wait where too much goes on at once.
	Use(ctx context.Context, name string, write bool) (c *workspace.Handle, release func(), err error)
	// Make makes a collection, with the encoder of a word; empty: the default.
	Make(ctx context.Context, name, word string) error
}

// find is the collection that an agent means. The name may be empty where there
// is only one.
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

// use is Collections.Use of what an agent means.
func (t *tools) use(ctx context.Context, name string, write bool) (c *workspace.Handle, found string, release func(), err error) {
	if found, err = t.find(ctx, name); err != nil {
		return nil, "", nil, err
	}
	c, release, err = t.collections.Use(ctx, found, write)
	return c, found, release, err
}

// listed says in words which collections there are.
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
