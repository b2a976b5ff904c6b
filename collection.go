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

// Config is how a collection is opened; nil and the zero value are good.
type Config struct {
	// Encoder makes vectors. Nil: the one inside the binary. It must be the one
	// that the collection was made with; where nobody says which that was, it must make
	// vectors of the same dimension, and ReadOnly be true unless the store only reads.
	Encoder encoder.Encoder
	// ReadOnly opens without the right to write, beside another process that
	// may be writing. The collection must exist.
	ReadOnly bool
	// Picture encodes what image: atoms name; nil: there are none.
	Picture func(ctx context.Context, name string) ([]float32, error)
	// Profile is how searches refine vectors and rank. Nil: the one that is kept
	// with the collection or, where there is none, the one that ships for the
	// encoder, which is the paper's for all but the built-in.
	Profile *profile.Profile
}

// ProfileNote is the note under which a collection keeps its profile.
const ProfileNote = "profile"

// Collection is an open collection. It is safe for concurrent use.
type Collection struct {
	store    engine.Collection
	encoder  encoder.Encoder
	searcher retrieve.Searcher
	lengths  passage.Lengths // the usual ones
}

// Open opens the collection in a directory, and makes it where there is none.
// ErrLocked says that another process writes to it, *EncoderError that it was made
// with another encoder.
func Open(ctx context.Context, dir string, c *Config) (*Collection, error) {
	o, err := c.complete()
	if err != nil {
		return nil, err
	}
	id := o.Encoder.Identity()
	store, err := index.OpenOrCreate(ctx, dir, index.Options{Dimension: id.Dimension, Encoder: EncoderName(id), ReadOnly: o.ReadOnly})
	if err != nil {
		return nil, explainOpen(dir, id, err)
	}
	opened, err := New(ctx, store, o)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return opened, nil
}

// New is the collection that a store holds, such as one of package engine/postgres.
// A store is made for an encoder with its dimension and its EncoderName, and
// another encoder is an *EncoderError. Whether it can be written to is a matter of
// how it was opened. From here on the store is the collection's, which closes it.
func New(ctx context.Context, store engine.Collection, c *Config) (*Collection, error) {
	o, err := c.complete()
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
			return nil, fmt.Errorf("the profile that is kept with the collection cannot be used (learn it again with nsfl tune, or name another): %w", err)
		}
	}
	out := &Collection{store: store, encoder: o.Encoder}
	if out.lengths, err = out.Lengths(0); err != nil {
		return nil, err
	}
	out.searcher.Store, out.searcher.Encoder, out.searcher.Picture, out.searcher.Profile = store, o.Encoder, o.Picture, o.Profile
	return out, nil
}

// Anonymous reports whether nobody says what made the vectors of a store: something else has
// filled it, or they were brought from outside.
func Anonymous(store engine.Collection) bool {
	return store.Encoder() == "" || identityOf(store.Encoder()).Name == encoder.Outside
}

// fits is an *EncoderError unless the encoder is the one that made a store's vectors, as far
// as anybody says.
func (o *Config) fits(ctx context.Context, store engine.Collection) error {
	id, said := o.Encoder.Identity(), identityOf(store.Encoder())
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

// ProfileOf is the profile that is kept among the notes of a collection or, where
// there is none, ships for its encoder, which need not be at hand.
func ProfileOf(notes map[string]string, encoder string) (*profile.Profile, error) {
	if text, ok := notes[ProfileNote]; ok {
		return profile.Read(strings.NewReader(text))
	}
	return profile.For(identityOf(encoder).Name), nil
}

// complete is a copy with what is left out.
func (c *Config) complete() (*Config, error) {
	var o Config
	if c != nil {
		o = *c
	}
	if o.Encoder == nil {
		e, err := builtin.New()
		if err != nil {
			return nil, err
		}
		o.Encoder = e
	}
	return &o, nil
}

// EncoderName is what a store keeps of an encoder, to tell it from others.
func EncoderName(id encoder.Identity) string {
	name, err := json.Marshal(id)
	if err != nil {
		panic(err) // it has strings and numbers alone, which can all be written
	}
	return string(name)
}

// identityOf reads what EncoderName wrote. Stores of other makers may have another
// text, which is a name then.
func identityOf(name string) encoder.Identity {
	var id encoder.Identity
	if json.Unmarshal([]byte(name), &id) != nil {
		return encoder.Identity{Name: name}
	}
	return id
}

// EncoderError says that a collection was made with another encoder than the one
// it was opened with.
type EncoderError struct {
	Dir           string           // or the address, where it is known
	Stored, Given encoder.Identity // the former without a name where nobody says what it was
}

func (e *EncoderError) Error() string {
	if e.Stored.Name == "" {
		return fmt.Sprintf("opening %s: its vectors have %d dimensions, those of %s cannot be compared with them. Name the encoder that made them, with --encoder", cmp.Or(e.Dir, "a store"), e.Stored.Dimension, e.Given)
	}
	return fmt.Sprintf("opening %s: its vectors were made by %s; they cannot be compared with those of %s. Open it with the former, or make a new collection", cmp.Or(e.Dir, "a store"), e.Stored, e.Given)
}

// explainOpen turns a mismatch of encoders, which stores know as strings, into an
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
	return &EncoderError{dir, identityOf(stored), given}
}

// Close waits for the calls in progress and closes the collection. The encoder is
// left as it is.
func (c *Collection) Close() error { return c.store.Close() }

// Store is where the documents are, for what the façade does not offer.
func (c *Collection) Store() engine.Collection { return c.store }

// Encoder is what makes the collection's vectors.
func (c *Collection) Encoder() encoder.Encoder { return c.encoder }

// Lengths are those of passages of at most so many tokens of the encoder, which must
// read as many; 0: the usual ones.
func (c *Collection) Lengths(most int) (passage.Lengths, error) {
	return encoder.Lengths(c.encoder, most)
}

// Searcher takes the steps of a search one by one.
func (c *Collection) Searcher() *retrieve.Searcher { return &c.searcher }

// Count is the number of documents; on another engine it may be some seconds old.
func (c *Collection) Count(ctx context.Context) (int, error) {
	size, err := c.store.Size(ctx)
	return size.Documents, err
}

// Get reads a document. It fails with ErrNotFound where there is none.
func (c *Collection) Get(ctx context.Context, id string) (Document, error) {
	d, err := c.store.Get(ctx, id, engine.AllParts)
	if err != nil {
		return Document{}, err
	}
	return documentOf(&d)
}

// Delete removes the documents of the given ids, and tells how many there were.
func (c *Collection) Delete(ctx context.Context, ids ...string) (int, error) {
	return c.store.Delete(ctx, ids)
}

// All reads all documents, in an order of the store's own. An error is the last
// that comes.
func (c *Collection) All(ctx context.Context) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for stored, err := range engine.All(ctx, c.store, engine.Page{Limit: addBatch, Parts: engine.AllParts}) {
			var d Document
			if err == nil {
				d, err = documentOf(&stored)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}
