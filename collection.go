package nsfl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Config configures Open and New. Nil and the zero value are valid.
type Config struct {
	// Encoder encodes texts; nil means the built-in one. It must be the one that the
	// collection was created with. If the origin of the vectors is unknown, its dimension
	// must match, and ReadOnly must be set unless the store is read-only.
	Encoder encoder.Encoder
	// ReadOnly opens an existing collection for reading, even while another process is
	// writing.
	ReadOnly bool
	// Picture encodes the pictures of image: atoms; nil disables them.
	Picture func(ctx context.Context, name string) ([]float32, error)
	// Profile selects how searches refine vectors and rank. Nil means the profile stored
	// with the collection or, if there is none, the default for the encoder, which is the
	// paper's for all but the built-in one.
	Profile *profile.Profile
}

// ProfileNote is the note with the profile of a collection.
const ProfileNote = "profile"

// Collection is an open collection. It is safe for concurrent use.
type Collection struct {
	store    engine.Collection
	encoder  encoder.Encoder
	searcher retrieve.Searcher
	lengths  passage.Lengths // default passage lengths
}

// Open opens the collection in a directory, creating it if necessary. It returns
// ErrLocked if another process is writing, and *EncoderError if the collection was
// created with a different encoder.
func Open(ctx context.Context, dir string, c *Config) (*Collection, error) {
	o, err := c.complete("")
	if err != nil {
		return nil, err
	}
	id := o.Encoder.Identity()
	store, err := index.OpenOrCreate(ctx, dir, index.Options{Dimension: id.Dimension, Encoder: EncoderName(id), ReadOnly: o.ReadOnly})
	if err != nil {
		err = explainOpen(dir, id, err)
		var other *EncoderError
		if c.hasEncoder() || !errors.As(err, &other) || other.Stored.Name != builtin.Name {
			return nil, err
		}
		if o.Encoder, err = builtin.Revision(other.Stored.Revision); err != nil {
			return nil, fmt.Errorf("opening %s: %w", dir, err)
		}
		return Open(ctx, dir, o)
	}
	opened, err := New(ctx, store, o)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return opened, nil
}

// New returns the collection in a store, such as one of package engine/postgres. A store
// is created for an encoder, with its dimension and EncoderName; New returns an
// *EncoderError for a different encoder. How the store was opened determines whether it
// can be written to. The collection takes ownership of the store and closes it.
func New(ctx context.Context, store engine.Collection, c *Config) (*Collection, error) {
	o, err := c.complete(store.Encoder())
	if err != nil {
		return nil, err
	}
	if err := o.fits(ctx, store); err != nil {
		return nil, err
	}
	if o.Profile == nil {
		notes, err := store.Notes(ctx, ProfileNote)
		if err != nil {
			return nil, err
		}
		if o.Profile, err = ProfileOf(notes, EncoderName(o.Encoder.Identity())); err != nil {
			return nil, fmt.Errorf("the profile stored with the collection cannot be used (create it again with nsfl tune, or choose another): %w", err)
		}
	}
	out := &Collection{store: store, encoder: o.Encoder}
	if out.lengths, err = out.Lengths(0); err != nil {
		return nil, err
	}
	out.searcher.Store, out.searcher.Encoder, out.searcher.Picture, out.searcher.Profile = store, o.Encoder, o.Picture, o.Profile
	return out, nil
}

// Anonymous reports whether the origin of a store's vectors is unknown: another program
// has filled it, or they were imported.
func Anonymous(store engine.Collection) bool {
	return store.Encoder() == "" || IdentityOf(store.Encoder()).Name == encoder.Outside
}

// fits returns an *EncoderError unless the encoder is the one that made a store's
// vectors, as far as that is known.
func (o *Config) fits(ctx context.Context, store engine.Collection) error {
	id, said := o.Encoder.Identity(), IdentityOf(store.Encoder())
	switch {
	case store.Encoder() == EncoderName(id):
		return nil
	case store.Encoder() == "", Anonymous(store) && o.ReadOnly:
		size, err := store.Size(ctx)
		if err != nil || size.Dimension == id.Dimension {
			return err
		}
		said = encoder.Identity{Dimension: size.Dimension}
	}
	return &EncoderError{Stored: said, Given: id}
}

// ProfileOf returns the profile in the notes of a collection or, if there is none, the
// default for its encoder, which need not be available.
func ProfileOf(notes map[string]string, encoder string) (*profile.Profile, error) {
	if text, ok := notes[ProfileNote]; ok {
		return profile.Read(strings.NewReader(text))
	}
	id := IdentityOf(encoder)
	return profile.For(id.Name, id.Revision), nil
}

func (c *Config) hasEncoder() bool { return c != nil && c.Encoder != nil }

// complete returns a copy with defaults filled in, for a collection made with the encoder of
// the given name, or for a new one.
func (c *Config) complete(made string) (*Config, error) {
	var o Config
	if c != nil {
		o = *c
	}
	if o.Encoder != nil {
		return &o, nil
	}
	e, err := builtin.For(IdentityOf(made))
	if err != nil {
		return nil, err
	}
	o.Encoder = e
	return &o, nil
}

// EncoderName returns the text that a store keeps to identify an encoder.
func EncoderName(id encoder.Identity) string {
	name, err := json.Marshal(id)
	if err != nil {
		panic(err) // only strings and numbers, which can always be encoded
	}
	return string(name)
}

// IdentityOf parses the output of EncoderName. Any other text is taken as a name.
func IdentityOf(name string) encoder.Identity {
	var id encoder.Identity
	if json.Unmarshal([]byte(name), &id) != nil {
		return encoder.Identity{Name: name}
	}
	return id
}

// EncoderError reports that a collection was opened with a different encoder than it was
// created with.
type EncoderError struct {
	Dir           string           // or address, if known
	Stored, Given encoder.Identity // Stored has no name if the origin is unknown
}

func (e *EncoderError) Error() string {
	if e.Stored.Name == "" {
		return fmt.Sprintf("opening %s: its vectors have %d dimensions, those of %s cannot be compared with them. Name the encoder that made them, with --encoder", cmp.Or(e.Dir, "a store"), e.Stored.Dimension, e.Given)
	}
	return fmt.Sprintf("opening %s: its vectors were made by %s; they cannot be compared with those of %s. Open it with the former, or make a new collection", cmp.Or(e.Dir, "a store"), e.Stored, e.Given)
}

// explainOpen converts a mismatch of encoder names, as reported by a store, to an
// EncoderError.
func explainOpen(dir string, given encoder.Identity, err error) error {
	var m *engine.MismatchError
	if !errors.As(err, &m) || m.What != "encoder" {
		return err
	}
	stored := m.Stored
	if text, unquote := strconv.Unquote(stored); unquote == nil {
		stored = text
	}
	return &EncoderError{dir, IdentityOf(stored), given}
}

// Close waits for calls in progress and closes the collection, but not the encoder.
func (c *Collection) Close() error { return c.store.Close() }

// Store returns the underlying store, for operations that Collection does not offer.
func (c *Collection) Store() engine.Collection { return c.store }

// Encoder returns the encoder of the collection.
func (c *Collection) Encoder() encoder.Encoder { return c.encoder }

// Lengths returns passage lengths of at most most tokens, which the encoder must support;
// 0 means the default.
func (c *Collection) Lengths(most int) (passage.Lengths, error) {
	return encoder.Lengths(c.encoder, most)
}

// Searcher returns a searcher that runs the steps of a search individually.
func (c *Collection) Searcher() *retrieve.Searcher { return &c.searcher }

// Count returns the number of documents; on some engines it may be a few seconds old.
func (c *Collection) Count(ctx context.Context) (int, error) {
	size, err := c.store.Size(ctx)
	return size.Documents, err
}

// Get reads a document. It returns ErrNotFound if there is none.
func (c *Collection) Get(ctx context.Context, id string) (Document, error) {
	return c.store.Get(ctx, id, engine.AllParts)
}

// Delete removes the documents with the given ids and returns how many existed.
func (c *Collection) Delete(ctx context.Context, ids ...string) (int, error) {
	return c.store.Delete(ctx, ids)
}

// All iterates over all documents, in an order chosen by the store. It stops after an
// error.
func (c *Collection) All(ctx context.Context) iter.Seq2[Document, error] {
	return engine.All(ctx, c.store, engine.Page{Limit: addBatch, Parts: engine.AllParts})
}
