package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/encoder/recent"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/passage"
)

// EncoderNote is the note with the spec of a collection's encoder.
const EncoderNote = "encoder"

// Word returns the spec of a collection's encoder.
func Word(ctx context.Context, store engine.Collection) (string, error) {
	notes, err := store.Notes(ctx, EncoderNote)
	return named.Word(notes[EncoderNote]), err
}

// Options configure Open.
type Options struct {
	// Encoder is the spec of the encoder. If empty, the collection's own is used,
	// provided it is trusted, or the built-in one for a new collection.
	Encoder  string
	ReadOnly bool
	Make     bool // create the collection if there is none
}

// Handle is an open collection together with the resources to close after it.
type Handle struct {
	*nsfl.Collection
	Place string // where it is, in a form that may be shown
	// Agreement measures how well the encoder agrees with vectors of unknown origin.
	Agreement *Agreement

	closers []func() error
}

// Close closes everything. Written data is already on disk.
func (o *Handle) Close() error {
	var all error
	for _, c := range o.closers {
		all = errors.Join(all, c())
	}
	return all
}

// Open opens the collection at a place, a directory or an address, with its encoder.
func Open(ctx context.Context, place string, o Options) (*Handle, error) {
	store, err := OpenStore(ctx, place, o.ReadOnly)
	if o.Make && errors.Is(err, engine.ErrNotCollection) {
		return create(ctx, place, o.Encoder)
	}
	if err != nil {
		return nil, err
	}
	word, err := Choose(ctx, place, store, o.Encoder)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	e, err := named.Open(ctx, word)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	c, err := join(ctx, place, store, e, o.ReadOnly)
	if err == nil && store.Encoder() != nsfl.EncoderName(e.Identity()) {
		c.Agreement, err = agreed(ctx, place, named.Word(word), c.Collection)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, err
}

// OpenStore opens the store of an existing collection without its encoder, which need not
// be available. If there is none, the error explains how to create one.
func OpenStore(ctx context.Context, place string, readOnly bool) (engine.Collection, error) {
	dir, err := stores.Directory(place)
	inside := err == nil
	if inside {
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
			return nil, &absentError{dir}
		}
	}
	store, err := stores.Open(ctx, place, engine.Options{ReadOnly: readOnly})
	switch {
	case errors.Is(err, engine.ErrNotCollection) && inside:
		err = &absentError{dir}
	case errors.Is(err, engine.ErrNotCollection):
		err = fmt.Errorf("there is no collection; create one with nsfl index FOLDER --store ADDRESS: %w", err)
	}
	return store, err
}

// Holds reports whether a collection exists at a place, even if it cannot be opened now.
func Holds(ctx context.Context, place string) bool {
	c, err := stores.Open(ctx, place, engine.Options{ReadOnly: true})
	if err == nil {
		_ = c.Close() // nothing was written
	}
	return !errors.Is(err, engine.ErrNotCollection)
}

// create creates a collection for the given encoder.
func create(ctx context.Context, place, word string) (*Handle, error) {
	s, err := Prepare(ctx, place, word)
	if err != nil {
		return nil, err
	}
	return s.Make(ctx)
}

// Site is a place where a collection can be created, with its encoder.
type Site struct {
	encoder     *named.Encoder
	place, word string
}

// Prepare opens the encoder for a collection that does not exist yet.
func Prepare(ctx context.Context, place, word string) (*Site, error) {
	e, err := named.Open(ctx, word)
	if err != nil {
		return nil, err
	}
	remember(word)
	return &Site{e, place, word}, nil
}

// Picture returns a function that encodes pictures, or nil if the encoder does not
// support them.
func (s *Site) Picture() func(ctx context.Context, name string) ([]float32, error) {
	return s.encoder.Picture
}

// Lengths returns the passage lengths that the encoder supports.
func (s *Site) Lengths(most int) (passage.Lengths, error) { return encoder.Lengths(s.encoder, most) }

// Make creates the collection, which then owns the encoder.
func (s *Site) Make(ctx context.Context) (*Handle, error) {
	var store engine.Collection
	var err error
	if stores.External(s.place) {
		store, err = newStore(ctx, s.place, engine.Options{}, s.encoder, s.word)
	} else if err = makeDirectory(ctx, s.place, s.encoder, s.word, 0o777); err == nil {
		store, err = stores.Open(ctx, s.place, engine.Options{})
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return join(ctx, s.place, store, s.encoder, false)
}

// Close closes the encoder if the collection was not created.
func (s *Site) Close() error { return s.encoder.Close() }

// newStore creates the store of a collection and records its encoder.
func newStore(ctx context.Context, place string, o engine.Options, e *named.Encoder, word string) (engine.Collection, error) {
	id := e.Identity()
	o.Dimension, o.Encoder = id.Dimension, nsfl.EncoderName(id)
	store, err := stores.Open(ctx, place, o)
	if err != nil {
		return nil, err
	}
	if err := store.SetNotes(ctx, map[string]string{EncoderNote: named.Word(word)}); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// rememberBytes is the size of the cache of encodings, which avoids encoding copies of a
// text more than once per run.
const rememberBytes = 32 << 20

// join combines a store and an encoder, and takes ownership of both.
func join(ctx context.Context, place string, store engine.Collection, e *named.Encoder, readOnly bool) (*Handle, error) {
	c, err := nsfl.New(ctx, store, &nsfl.Config{Encoder: recent.New(e, rememberBytes), Picture: e.Picture, ReadOnly: readOnly})
	if err != nil {
		var other *nsfl.EncoderError
		if errors.As(err, &other) {
			other.Dir = stores.Shown(place)
		}
		return nil, errors.Join(err, store.Close(), e.Close())
	}
	return &Handle{Collection: c, Place: stores.Shown(place), closers: []func() error{c.Close, e.Close}}, nil
}
