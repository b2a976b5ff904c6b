package weaviate

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// migrate brings a collection of an older format to the newest, and then says so of it.
// What is cut off goes on where it was.
func (s *Store) migrate(ctx context.Context) error {
	const doing = "bringing the collection to the newest format"
	for _, p := range []property{pieces(), kept(placesProperty)} {
		if err := s.write(ctx, doing, func(ctx context.Context, h *host) error { return s.addProperty(ctx, h, p) }); err != nil {
			return err
		}
	}
	s.placed = true
	if s.wordless {
		if err := s.spell(ctx); err != nil {
			return err
		}
	}
	return s.write(ctx, doing, func(ctx context.Context, h *host) error {
		if err := s.at.intact(ctx, h); err != nil { // what is away has no words yet
			return err
		}
		return h.describe(ctx, s.address.collection, settings{format, s.dim, s.encoder}.describe())
	})
}

// addProperty adds a property to the class. Whoever comes second finds it there.
func (s *Store) addProperty(ctx context.Context, h *host, p property) error {
	there := func() (bool, error) {
		c, err := h.class(ctx, s.address.collection)
		if c == nil && err == nil {
			err = engine.ErrNotCollection
		}
		return err == nil && slices.ContainsFunc(c.Properties, func(q property) bool { return q.Name == p.Name }), err
	}
	if ok, err := there(); ok || err != nil {
		return err
	}
	err := h.addProperty(ctx, s.address.collection, p)
	if ok, _ := there(); ok {
		return nil
	}
	return err
}
