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

// EncoderNote is the note under which a collection keeps the word that its encoder
// was chosen by.
const EncoderNote = "encoder"

// Word is the word that the encoder of a collection was chosen by.
func Word(ctx context.Context, store engine.Collection) (string, error) {
	notes, err := store.Notes(ctx, EncoderNote)
	return named.Word(notes[EncoderNote]), err
}

// Options are how one collection is opened.
type Options struct {
	// Encoder is the word that the encoder is chosen by; empty: the collection's
	// own, as far as it is trusted, or, of one that is made, the built-in.
	Encoder  string
	ReadOnly bool
	Make     bool // the collection, where there is none
}

// Handle is a collection and what has to be closed after it.
type Handle struct {
	*nsfl.Collection
	Place string // where it is, as it may be shown
	// Agreement is how well the encoder agrees with the vectors, where nobody says what
	// made them.
	Agreement *Agreement

	closers []func() error
}

// Close closes everything; what was written is on the disk already.
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

// OpenStore opens the store of a collection that exists without its encoder, which
// need not be at hand. Where there is none, the error says how to make one.
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
		err = fmt.Errorf("there is none; make one with nsfl index FOLDER --store ADDRESS: %w", err)
	}
	return store, err
}

// Holds reports whether there is a collection at a place, be it one that cannot be
// opened now.
func Holds(ctx context.Context, place string) bool {
	c, err := stores.Open(ctx, place, engine.Options{ReadOnly: true})
	if err == nil {
		_ = c.Close() // it was only looked at
	}
	return !errors.Is(err, engine.ErrNotCollection)
}

// create makes a collection for the encoder of a word.
func create(ctx context.Context, place, word string) (*Handle, error) {
	s, err := Prepare(ctx, place, word)
	if err != nil {
		return nil, err
	}
	return s.Make(ctx)
}

// Site is where a collection can be made, with the encoder that it is for.
type Site struct {
	encoder     *named.Encoder
	place, word string
}

// Prepare opens the encoder of a word for a collection that there is not yet.
func Prepare(ctx context.Context, place, word string) (*Site, error) {
	e, err := named.Open(ctx, word)
	if err != nil {
		return nil, err
	}
	remember(word)
	return &Site{e, place, word}, nil
}

// Picture encodes a picture; nil: the encoder reads none.
func (s *Site) Picture() func(ctx context.Context, name string) ([]float32, error) {
	return s.encoder.Picture
}

// Lengths are those of passages that the encoder reads.
func (s *Site) Lengths(most int) (passage.Lengths, error) { return encoder.Lengths(s.encoder, most) }

// Make makes the collection, to which the encoder belongs from here on.
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

// Close closes the encoder of a collection that was not made.
func (s *Site) Close() error { return s.encoder.Close() }

// newStore makes the store of a collection, with the word of its encoder.
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

// rememberBytes is how much is remembered of what was encoded, so that the copies of a
// text in a run are encoded once.
const rememberBytes = 32 << 20

// join is the collection of a store and an encoder, which it owns from here on.
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
