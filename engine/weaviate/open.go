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

// cluster is the servers that a collection is on.
type cluster struct {
	calls   pooling.Calls
	address *address
	hosts   []*host
	current atomic.Uint32 // of the hosts the one to ask first
	at      placement     // of the documents
}

// Store is an open collection of nsfl's own making. It is safe for concurrent use.
type Store struct {
	*cluster
	dim     int
	encoder string
	// wordless says that some of the documents may have been stored without words, when the
	// collection was opened.
	wordless bool
	// placed says that places can be asked for, and older that the collection has not
	// the newest format.
	placed, older bool

	notesAt placement
	reach   pooling.Reach
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
// A class that something else has made is attached to, and only read: it is an *Attached.
// Which of its properties and vectors are what is said by id, vector, text, title and
// metadata, as far as it has to be, and the tenant by tenant.
//
// A collection that was made before words were kept gets those of its documents when it is
// first opened for writing. Nobody else is to write meanwhile.
//
// The errors that a caller may decide on are engine.ErrNotCollection,
// *engine.MismatchError for another encoder or dimension, and *engine.FormatError.
func Open(ctx context.Context, text string, o engine.Options) (engine.Collection, error) {
	a, err := configure(text)
	if err == nil {
		err = pooling.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, err
	}
	c := &cluster{calls: pooling.Calls{Options: o, Place: a.place(), Reword: reword}, address: a}
	if err := c.connect(); err != nil {
		return nil, errors.Join(c.calls.Explain("opening the collection", err), c.Close())
	}
	opened, err := c.open(ctx)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return opened, nil
}

// connect makes the hosts, none of which is asked yet.
func (c *cluster) connect() error {
	var security *tls.Config
	if c.address.secure {
		security = new(tls.Config)
	}
	for _, at := range c.address.hosts {
		h, err := newHost(at, security, os.Getenv("WEAVIATE_API_KEY"))
		if err != nil {
			return err
		}
		c.hosts = append(c.hosts, h)
	}
	return nil
}

// open finds out whose the class is.
func (c *cluster) open(ctx context.Context) (engine.Collection, error) {
	s := &Store{cluster: c}
	err := c.read(ctx, "opening the collection", s.establish)
	if errors.Is(err, errForeign) {
		return c.attach(ctx)
	}
	if err == nil && s.older && !c.calls.Options.ReadOnly {
		err = s.migrate(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Encoder is what the collection was made with.
func (s *Store) Encoder() string { return s.encoder }

// Close waits for the calls in progress and closes the connections.
func (c *cluster) Close() error {
	return c.calls.Close(func() error {
		var errs []error
		for _, h := range c.hosts {
			errs = append(errs, h.close())
		}
		return errors.Join(errs...)
	})
}

// consistency is the level as it goes with a call over gRPC.
func (c *cluster) consistency() wire.ConsistencyLevel {
	return wire.ConsistencyLevel(wire.ConsistencyLevel_value["CONSISTENCY_LEVEL_"+c.address.consistency])
}
