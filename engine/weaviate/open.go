package weaviate

import (
	"context"
	"crypto/tls"
	"errors"
	"os"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// Store is an open collection. It is safe for concurrent use.
type Store struct {
	calls   pooling.Calls
	address *address
	dim     int
	encoder string
	// wordless says that some of the documents may have been stored without words, when the
	// collection was opened.
	wordless bool
	// placed says that places can be asked for, and older that the collection has not
	// the newest format.
	placed, older bool

	hosts   []*host
	current atomic.Uint32 // of the hosts the one to ask first

	at, notesAt placement // of the documents, and of the notes

	reach pooling.Reach
}

var _ engine.Collection = (*Store)(nil)

// Open opens a collection at an address such as
//
//	weaviate://HOST:PORT/?collection=NAME&grpc=HOST:PORT
//
// and makes it where there is none and a dimension is given. Of a cluster, several
// nodes can be named (weaviate://A:8080,B:8080/): where one does not answer, the
// next is asked. Further settings are scheme, http or https; consistency, how many
// replicas a call waits for (ONE, QUORUM or ALL, and QUORUM unless it is said); and
// replicas and shards of a collection that is made. Without grpc=, port 50051 of the
// same hosts is meant. The key to the server, where it wants one, is in the
// environment variable WEAVIATE_API_KEY.
//
// A collection that was made before words were kept gets those of its documents when it is
// first opened for writing. Nobody else is to write meanwhile.
//
// The errors that a caller may decide on are engine.ErrNotCollection,
// *engine.MismatchError for another encoder or dimension, and *engine.FormatError.
func Open(ctx context.Context, text string, o engine.Options) (*Store, error) {
	a, err := configure(text)
	if err == nil {
		err = pooling.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, err
	}
	s := &Store{calls: pooling.Calls{Options: o, Place: a.place(), Reword: reword}, address: a}
	const doing = "opening the collection"
	var security *tls.Config
	if a.secure {
		security = new(tls.Config)
	}
	for _, at := range a.hosts {
		h, err := newHost(at, security, os.Getenv("WEAVIATE_API_KEY"))
		if err != nil {
			return nil, errors.Join(s.calls.Explain(doing, err), s.Close())
		}
		s.hosts = append(s.hosts, h)
	}
	err = s.read(ctx, doing, s.establish)
	if err == nil && s.older && !o.ReadOnly {
		err = s.migrate(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Encoder is what the collection was made with.
func (s *Store) Encoder() string { return s.encoder }

// Close waits for the calls in progress and closes the connections.
func (s *Store) Close() error {
	return s.calls.Close(func() error {
		var errs []error
		for _, h := range s.hosts {
			errs = append(errs, h.close())
		}
		return errors.Join(errs...)
	})
}

// consistency is the level as it goes with a call over gRPC.
func (s *Store) consistency() wire.ConsistencyLevel {
	return wire.ConsistencyLevel(wire.ConsistencyLevel_value["CONSISTENCY_LEVEL_"+s.address.consistency])
}
