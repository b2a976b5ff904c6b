package nsfl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Config is how a collection is opened; the zero value is good.
type Config struct {
	// Encoder makes vectors. Nil: the one inside the binary. It must be the one
	// that the collection was made with.
	Encoder encoder.Encoder
	// ReadOnly opens without the right to write, beside another process that
	// may be writing. The collection must exist.
	ReadOnly bool
	// Picture encodes what image: atoms name; nil: there are none.
	Picture func(ctx context.Context, name string) ([]float32, error)
}

// Collection is an open collection. It is safe for concurrent use.
type Collection struct {
	index    *index.Collection
	encoder  encoder.Encoder
	searcher retrieve.Searcher
}

// Open opens the collection in a directory with the built-in encoder, and makes
// it where there is none.
func Open(dir string) (*Collection, error) {
	return OpenWith(context.Background(), dir, Config{})
}

// OpenWith is Open with choices. The errors of the package index tell what went
// wrong: index.ErrLocked where another process writes, *index.DamageError, and so
// on; *EncoderError says that the collection was made with another encoder.
func OpenWith(ctx context.Context, dir string, o Config) (*Collection, error) {
	if o.Encoder == nil {
		e, err := builtin.New()
		if err != nil {
			return nil, err
		}
		o.Encoder = e
	}
	id := o.Encoder.Identity()
	name, err := json.Marshal(id)
	if err != nil {
		return nil, fmt.Errorf("naming the encoder: %w", err)
	}
	options := index.Options{Dimension: id.Dimension, Encoder: string(name), ReadOnly: o.ReadOnly}
	c, err := index.Open(ctx, dir, options)
	if errors.Is(err, index.ErrNotCollection) && !o.ReadOnly {
		if err := vacant(dir); err != nil {
			return nil, err
		}
		c, err = index.Create(ctx, dir, options)
	}
	if err != nil {
		return nil, explainOpen(dir, id, err)
	}
	return &Collection{
		index: c, encoder: o.Encoder,
		searcher: retrieve.Searcher{Store: engine.Embedded{Collection: c}, Encoder: o.Encoder, Picture: o.Picture},
	}, nil
}

// vacant is an error if a directory has something in it, so that a collection is
// not made among the files of something else.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", dir, err)
	}
	return fmt.Errorf("opening %s: it is not a collection, and there are other files in it; name an empty or a new directory", dir)
}

// EncoderError says that a collection was made with another encoder than the one
// it was opened with.
type EncoderError struct {
	Dir           string
	Stored, Given encoder.Identity
}

func (e *EncoderError) Error() string {
	return fmt.Sprintf("opening %s: its vectors were made by %s; they cannot be compared with those of %s. Open it with the former, or make a new collection", e.Dir, e.Stored, e.Given)
}

// explainOpen turns a mismatch of encoders, which index knows as strings, into an
// EncoderError.
func explainOpen(dir string, given encoder.Identity, err error) error {
	var m *index.MismatchError
	if !errors.As(err, &m) || m.What != "encoder" {
		return err
	}
	stored := encoder.Identity{Name: m.Stored}
	if text, unquote := strconv.Unquote(m.Stored); unquote == nil {
		if json.Unmarshal([]byte(text), &stored) != nil {
			stored.Name = text
		}
	}
	return &EncoderError{dir, stored, given}
}

// Close waits for the calls in progress and closes the collection. The encoder is
// left as it is.
func (c *Collection) Close() error { return c.index.Close() }

// Index is the store of the collection, for what the façade does not offer:
// statistics, listing, compaction, backup.
func (c *Collection) Index() *index.Collection { return c.index }

// Encoder is what makes the collection's vectors.
func (c *Collection) Encoder() encoder.Encoder { return c.encoder }

// Searcher takes the steps of a search one by one.
func (c *Collection) Searcher() *retrieve.Searcher { return &c.searcher }

// Delete removes the documents of the given ids, and tells how many there were.
func (c *Collection) Delete(ctx context.Context, ids ...string) (int, error) {
	return c.index.Delete(ctx, ids)
}
