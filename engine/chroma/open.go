package chroma

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/attached"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// Store is a collection that nsfl is attached to. It is safe for concurrent use.
type Store struct {
	attached.ReadOnly
	attached.Words
	*client
	calls   pooling.Calls
	at      *server
	address string // of the collection
	dim     int
	space   string // what the index goes by
	roles   attached.Roles
	columns []attached.Column
	lengths attached.Lengths
	kinds   kinds

	reach  pooling.Reach
	limits attached.Limits
	few    int // so many that pass a filter are compared without the index, or 4k
}

var (
	_ engine.Collection = (*Store)(nil)
	_ engine.Worded     = (*Store)(nil)
)

// Open attaches to a collection on the server at an address such as
//
//	chroma://HOST:PORT/?tenant=NAME&database=NAME&collection=NAME&title=KEY&text=KEY&ssl=true
//
// of which the host and the collection are needed. What the server asks for as proof comes
// from the environment: CHROMA_TOKEN for the header X-Chroma-Token, or
// CHROMA_AUTHORIZATION for the whole of the header Authorization.
//
// The title is what the metadata has under a key, title or name where none is given; the
// text is the record's document, or what the metadata has under a key.
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
	s := &Store{client: newClient(at, credentials), calls: pooling.Calls{Options: o, Place: at.place()}, at: at, limits: attached.Usual, few: 500}
	s.Words.Store = s
	if err := s.calls.Read(ctx, "attaching to the collection", s.attach); err != nil {
		s.http.CloseIdleConnections()
		return nil, err
	}
	return s, nil
}

// Close waits for the calls in progress and closes the connections.
func (s *Store) Close() error {
	return s.calls.Close(func() error {
		s.http.CloseIdleConnections()
		return nil
	})
}
