package weaviate

import (
	"context"
	"crypto/tls"
	"errors"
	"os"
	"sync"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// Store is an open collection. It is safe for concurrent use.
type Store struct {
	options  Options
	place    string
	settings settings
	hosts    []*host
	current  atomic.Uint32 // of the hosts the one to ask first

	at, notesAt placement // of the documents, and of the notes

	documents atomic.Int64 // as they were counted last
	reach     atomic.Int64 // how many times k are fetched: see Pool

	calls  sync.RWMutex // held for reading by every call
	closed bool
}

var _ engine.Collection = (*Store)(nil)

// Open opens a collection at an address such as
//
//	weaviate://HOST:PORT/?collection=NAME&grpc=HOST:PORT
//
// and makes it where there is none and a dimension is given. Of a cluster, several
// nodes can be named (weaviate://A:8080,B:8080/): where one does not answer, the
// next is asked. Further settings are scheme, http or https, and consistency,
// replicas and shards, as in Options. Without grpc=, port 50051 of the same hosts is
// meant. The key to the server, where it wants one, is in the environment variable
// WEAVIATE_API_KEY.
//
// The errors that a caller may decide on are those of index.Open:
// index.ErrNotCollection, *index.MismatchError for another encoder or dimension, and
// *index.FormatError.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	var a address
	if err := a.parse(url, &o); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Store{options: o, place: a.place(&o)}
	s.reach.Store(1)
	var security *tls.Config
	if a.secure {
		security = new(tls.Config)
	}
	for _, at := range a.hosts {
		h, err := newHost(at, security, os.Getenv("WEAVIATE_API_KEY"))
		if err != nil {
			return nil, errors.Join(s.explain("opening the collection", err), s.Close())
		}
		s.hosts = append(s.hosts, h)
	}
	if err := s.attempt(ctx, "opening the collection", o.Timeout, s.establish); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Encoder is what the collection was made with.
func (s *Store) Encoder() string { return s.settings.Encoder }

// Close waits for the calls in progress and closes the connections.
func (s *Store) Close() error {
	s.calls.Lock()
	defer s.calls.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var errs []error
	for _, h := range s.hosts {
		errs = append(errs, h.close())
	}
	return errors.Join(errs...)
}

// consistency is the level as it goes with a call over gRPC.
func (s *Store) consistency() wire.ConsistencyLevel {
	return wire.ConsistencyLevel(wire.ConsistencyLevel_value["CONSISTENCY_LEVEL_"+s.options.Consistency])
}
