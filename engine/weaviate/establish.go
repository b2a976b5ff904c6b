package weaviate

import (
	"context"
	"fmt"
	"strconv"

	"github.com/nsfl-go/nsfl/index"
)

// establish makes the collection where it may and has to, and finds out what it is.
func (s *Store) establish(ctx context.Context, h *host) error {
	if err := checkVersion(ctx, h); err != nil {
		return err
	}
	o := &s.options
	class, err := h.class(ctx, o.Collection)
	if class == nil && err == nil && !o.ReadOnly && o.Dimension > 0 {
		if err := s.create(ctx, h); err != nil {
			return err
		}
		class, err = h.class(ctx, o.Collection)
	}
	switch {
	case err != nil:
		return err
	case class == nil:
		return index.ErrNotCollection
	}
	found, err := settingsOf(class)
	switch {
	case err != nil:
		return err
	case found.Format > format:
		return &index.FormatError{Dir: s.place, Found: found.Format, Supported: format}
	case o.Encoder != "" && o.Encoder != found.Encoder:
		return &index.MismatchError{Dir: s.place, What: "encoder", Stored: strconv.Quote(found.Encoder), Given: strconv.Quote(o.Encoder)}
	case o.Dimension != 0 && o.Dimension != found.Dimension:
		return &index.MismatchError{Dir: s.place, What: "dimension", Stored: strconv.Itoa(found.Dimension), Given: strconv.Itoa(o.Dimension)}
	}
	s.settings = found
	for class, p := range map[string]*placement{o.Collection: &s.at, o.notesClass(): &s.notesAt} {
		if err := p.find(ctx, h, class); err != nil {
			return err
		}
	}
	_, err = s.count(ctx, h)
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
	for _, class := range []*class{notesClass(&s.options), documentsClass(&s.options)} {
		err := h.createClass(ctx, class)
		if err == nil {
			continue
		}
		there, other := h.class(ctx, class.Class)
		if other != nil || there == nil {
			return err
		}
		if _, err := settingsOf(there); err != nil {
			return err
		}
	}
	return nil
}
