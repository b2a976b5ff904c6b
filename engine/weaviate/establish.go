package weaviate

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// establish makes the collection where it may and has to, and finds out what it is.
func (s *Store) establish(ctx context.Context, h *host) error {
	if err := checkVersion(ctx, h); err != nil {
		return err
	}
	o := &s.calls.Options
	class, err := h.class(ctx, s.address.collection)
	if class == nil && err == nil && !o.ReadOnly && o.Dimension > 0 && s.address.own() == nil {
		if err := s.create(ctx, h); err != nil {
			return err
		}
		class, err = h.class(ctx, s.address.collection)
	}
	switch {
	case err != nil:
		return err
	case class == nil:
		return engine.ErrNotCollection
	}
	found, err := settingsOf(class)
	if err == nil {
		err = s.address.own()
	}
	if err == nil {
		err = pooling.Identity(found).Agrees(s.calls.Place, format, o)
	}
	if err != nil {
		return err
	}
	s.dim, s.encoder = found.Dimension, found.Encoder
	s.wordless, s.placed, s.older = found.Format < wordedFormat, found.Format >= placedFormat, found.Format < format
	for class, p := range map[string]*placement{s.address.collection: &s.at, s.address.notesClass(): &s.notesAt} {
		if err := p.find(ctx, h, class); err != nil {
			return err
		}
	}
	_, err = s.count(ctx, h) // it answers over gRPC, too
	return err
}

// checkVersion refuses a server that does not know what this package asks of it.
func checkVersion(ctx context.Context, h *host) error {
	version, err := h.version(ctx)
	switch {
	case isNotFound(err):
		return fmt.Errorf("reading the server's version: %w", errGarbage)
	case err != nil:
		return err
	}
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return fmt.Errorf("the server's version is %.40q: %w", version, errGarbage)
	}
	if major == 1 && minor < 33 {
		return fmt.Errorf("the server is Weaviate %.40s, and 1.33 or later is needed", version)
	}
	return nil
}

// create makes the classes, that of the documents last: where it is, all is. Whoever
// comes second finds it made.
func (s *Store) create(ctx context.Context, h *host) error {
	description := settings{format, s.calls.Options.Dimension, s.calls.Options.Encoder}.describe()
	for _, class := range []*class{notesClass(s.address, description), documentsClass(s.address, description)} {
		err := h.createClass(ctx, class)
		if err == nil {
			continue
		}
		there, other := h.class(ctx, class.Class)
		if other != nil || there == nil {
			return err
		}
		if _, err := settingsOf(there); err != nil {
			return fmt.Errorf("the class %s is something else's; name another collection", class.Class)
		}
	}
	return nil
}
