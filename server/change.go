package server

import (
	"context"
	"errors"
	"slices"

	"github.com/nsfl-go/nsfl/internal/workspace"
)

// changing runs before every change, whether it comes from a request, a batch of a stream or
// an agent. It checks the key again, because the key may have been revoked meanwhile.
func (s *Server) changing(ctx context.Context, c workspace.Change) (done func(error), err error) {
	r := recordOf(ctx)
	if r != nil && r.holder != nil {
		key, err := s.keys.Again(r.holder)
		if err != nil {
			return nil, err
		}
		need := Write
		if c.Action == workspace.MakeCollection || c.Action == workspace.RemoveCollection || c.Action == workspace.SetQuota {
			need = Admin
		}
		if key.Role < need {
			return nil, newProblem("forbidden", "this needs a key of the role %s; the role of the given key is now %s", need, key.Role)
		}
		if !key.Allows(c.Collection) {
			return nil, noCollection(c.Collection)
		}
	}
	s.keeper.wrote(c.Collection)
	return s.audit.begin(r, c)
}

// allows reports whether the key of a request may access a collection. For other keys the
// collection does not exist.
func allows(ctx context.Context, name string) bool {
	r := recordOf(ctx)
	return r == nil || r.holder == nil || r.holder.Allows(name)
}

func noCollection(name string) error {
	return newProblem("not_found", "there is no collection %q", name)
}

// names returns the collections that the key of a request may access.
func (s *Server) names(ctx context.Context) ([]string, error) {
	names, err := s.collections.Names(ctx)
	return slices.DeleteFunc(names, func(name string) bool { return !allows(ctx, name) }), err
}

// making creates a collection by calling make.
func (s *Server) making(ctx context.Context, name string, make func() error) error {
	if !allows(ctx, name) {
		return newProblem("forbidden", "the key is limited to other collections and cannot create %q", name)
	}
	change := workspace.Change{Action: workspace.MakeCollection, Collection: name}
	return workspace.Changing(s.changing).Do(ctx, change, make)
}

// Collections gives the handler of agents the collections that the key of a request may access.
// Use goes through admission control: it waits for a slot for a short time.
type Collections struct{ server *Server }

// Names returns the names of the collections, sorted.
func (c *Collections) Names(ctx context.Context) ([]string, error) { return c.server.names(ctx) }

// Make creates a collection with an encoder spec. Empty means the default encoder.
func (c *Collections) Make(ctx context.Context, name, word string) error {
	return c.server.making(ctx, name, func() error { return c.server.collections.Make(ctx, name, word) })
}

// Use implements workspace.Collections.
func (c *Collections) Use(ctx context.Context, name string, write bool) (*workspace.Handle, func(), error) {
	if !allows(ctx, name) {
		return nil, nil, noCollection(name)
	}
	entry := c.server.searches
	if write {
		entry = c.server.streams
	}
	leave, err := entry.Enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	o, release, err := c.server.collections.Use(ctx, name, write)
	if err != nil {
		leave()
		return nil, nil, err
	}
	return o, func() { release(); leave() }, nil
}

// Reload reads the keys and certificates again and reopens the audit log. Invalid files leave
// the current state unchanged.
func (s *Server) Reload() error {
	return errors.Join(s.audit.reopen(), s.keys.Reload(), s.certificate.Reload())
}
