package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/cache"
	"github.com/nsfl-go/nsfl/encoder/named"
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
	Make     bool // if there is no collection, create it with the first write
}

// Handle is a collection with its encoder.
type Handle struct {
	*nsfl.Collection        // nil if the collection does not exist yet
	Name             string // in Collections
	Place            string // where it is, in a form that may be shown
	Word             string // spec of its encoder
	Engine           string // that stores it
	ReadOnly         bool   // documents cannot be changed here
	// Agreement measures how well the encoder agrees with vectors of unknown origin; nil
	// for others.
	Agreement *Agreement

	changing Changing
	remote   *remoteHealth // monitors the store; nil for directories and commands
	encoder  *named.Encoder
	create   func(context.Context) error // if the collection does not exist yet
	closers  []func() error
}

// Open opens the collection at a place, a directory or an address, with its encoder.
func Open(ctx context.Context, place string, o Options) (*Handle, error) {
	store, err := OpenStore(ctx, place, o.ReadOnly)
	if o.Make && errors.Is(err, engine.ErrNotCollection) {
		return prepare(ctx, place, o.Encoder)
	}
	if err != nil {
		return nil, err
	}
	word, err := Choose(ctx, place, store, o.Encoder)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	e, err := named.OpenFor(ctx, word, nsfl.IdentityOf(store.Encoder()))
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	h := &Handle{Place: stores.Shown(place), encoder: e, closers: []func() error{e.Close}}
	err = h.join(ctx, store, o.ReadOnly)
	if err == nil && store.Encoder() != nsfl.EncoderName(e.Identity()) {
		h.Agreement, err = agreed(ctx, place, named.Word(word), h.Collection)
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// prepare returns the handle of a collection that does not exist yet.
func prepare(ctx context.Context, place, word string) (*Handle, error) {
	e, err := named.Open(ctx, word)
	if err != nil {
		return nil, err
	}
	remember(word)
	h := &Handle{Place: stores.Shown(place), encoder: e, closers: []func() error{e.Close}}
	h.create = func(ctx context.Context) (err error) {
		var store engine.Collection
		if stores.External(place) {
			store, err = newStore(ctx, place, engine.Options{}, e, word)
		} else if err = makeDirectory(ctx, place, e, word, 0o777); err == nil {
			store, err = stores.Open(ctx, place, engine.Options{})
		}
		if err != nil {
			return err
		}
		return h.join(ctx, store, false)
	}
	return h, nil
}

// rememberBytes is the size of the cache of encodings, which avoids encoding copies of a
// text more than once per run.
const rememberBytes = 32 << 20

// join completes a handle with its store, and takes ownership of the store.
func (h *Handle) join(ctx context.Context, store engine.Collection, readOnly bool) error {
	c, err := nsfl.New(ctx, store, &nsfl.Config{Encoder: cache.New(h.encoder, rememberBytes), Picture: h.encoder.Picture, ReadOnly: readOnly})
	if err != nil {
		var other *nsfl.EncoderError
		if errors.As(err, &other) {
			other.Dir = h.Place
		}
		return errors.Join(err, store.Close())
	}
	h.Collection, h.closers = c, []func() error{c.Close, h.encoder.Close}
	return nil
}

// String returns where the collection is.
func (h *Handle) String() string { return h.Place }

// Exists reports whether the collection exists by now.
func (h *Handle) Exists() bool { return h.Collection != nil }

// Create creates the collection unless it exists.
func (h *Handle) Create(ctx context.Context) error {
	if h.Exists() {
		return nil
	}
	return h.create(ctx)
}

// Lengths returns passage lengths of at most most tokens, which the encoder must support;
// 0 means the default.
func (h *Handle) Lengths(most int) (passage.Lengths, error) {
	if h.Exists() {
		return h.Collection.Lengths(most)
	}
	return encoder.Lengths(h.encoder, most)
}

// Picture returns a function that encodes the picture in a file, or nil if the encoder
// does not support pictures.
func (h *Handle) Picture() func(ctx context.Context, name string) ([]float32, error) {
	if h.Exists() {
		return h.Searcher().Picture
	}
	return h.encoder.Picture
}

// Close closes the collection and its encoder. Written data is already on disk.
func (h *Handle) Close() error {
	var all error
	for _, c := range h.closers {
		all = errors.Join(all, c())
	}
	return all
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
		err = fmt.Errorf("there is no collection; create one with nsfl index FOLDER -c ADDRESS: %w", err)
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
