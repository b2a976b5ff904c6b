package chroma

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// Store is an open collection. It is safe for concurrent use.
type Store struct {
	*client
	calls    pooling.Calls
	name     string // of the collection
	dim      int
	encoder  string
	maxBatch int // records in a request
	// wordless says that some of the documents may have been stored without words, when the
	// collection was opened.
	wordless bool

	documents, passages, notes string // the addresses of Chroma's collections

	writing chan struct{} // holds one while something is written
	reach   pooling.Reach
	few     int // so many that pass a filter are compared without the index, or 4k
}

var _ engine.Collection = (*Store)(nil)

// Open opens a collection on the server at an address such as
//
//	chroma://HOST:PORT/?tenant=NAME&database=NAME&collection=NAME&ssl=true
//
// of which only the host is needed, and makes it where there is none and a
// dimension is given. What the server asks for as proof comes from the environment:
// CHROMA_TOKEN for the header X-Chroma-Token, or CHROMA_AUTHORIZATION for the whole
// of the header Authorization.
//
// With Options.Fill, searches read and compare all documents rather than go by
// Chroma's index.
//
// A collection that was made before words were kept gets those of its documents when it is
// first opened for writing. Nobody else is to write meanwhile.
//
// The errors that a caller may decide on are engine.ErrNotCollection,
// *engine.MismatchError for another encoder or dimension, and *engine.FormatError.
func Open(ctx context.Context, address string, o engine.Options) (*Store, error) {
	at, err := configure(address)
	if err == nil {
		err = pooling.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, err
	}
	credentials, err := environment()
	if err != nil {
		return nil, err
	}
	s := &Store{
		client: newClient(at, credentials), calls: pooling.Calls{Options: o, Place: at.place()},
		name: at.collection, writing: make(chan struct{}, 1), few: 500,
	}
	err = s.calls.Read(ctx, "opening the collection", s.establish)
	if err == nil && s.wordless && !o.ReadOnly {
		err = s.spell(ctx)
	}
	if err != nil {
		s.http.CloseIdleConnections()
		return nil, err
	}
	return s, nil
}

// Encoder is what the collection was made with.
func (s *Store) Encoder() string { return s.encoder }

// Close waits for the calls in progress and closes the connections.
func (s *Store) Close() error {
	return s.calls.Close(func() error {
		s.http.CloseIdleConnections()
		return nil
	})
}

// write runs f while nothing else of this store writes.
func (s *Store) write(ctx context.Context, doing string, f func(context.Context) error) error {
	return s.calls.Write(ctx, doing, func(ctx context.Context) error {
		select {
		case s.writing <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		defer func() { <-s.writing }()
		return f(ctx)
	})
}
