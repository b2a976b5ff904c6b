package postgres

import (
	"context"
	"errors"
	"math"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// Store is an open collection that nsfl manages. It is safe for concurrent use.
type Store struct {
	*remote.Store
	database
	collection string // the schema that holds it
	dim        int
	encoder    string
}

var _ engine.Collection = (*Store)(nil)

// managedDriver asks the server about a collection.
type managedDriver struct{ *Store }

// Capabilities returns those of the runtime, but for words, which one statement finds and
// reads.
func (s *Store) Capabilities() engine.Capabilities {
	c := s.Store.Capabilities()
	c.Worded, c.Counter = lexical{s}, s
	return c
}

// Open opens a collection in the database at an address such as
//
//	postgres://USER:PASSWORD@HOST:PORT/DATABASE?collection=NAME&pool_max_conns=4
//
// and creates it if there is none and a dimension is given. PostgreSQL's environment
// variables, such as PGPASSWORD, complete the address.
//
// With Options.Fill, HNSW indexes are neither made nor used, and searches compare all
// documents. The indexes are made when a collection is first opened for writing
// without it: made last, they take a fraction of the time.
//
// The errors that a caller may decide on are engine.ErrNotCollection,
// *engine.MismatchError for another encoder or dimension, and *engine.FormatError.
func Open(ctx context.Context, address string, o engine.Options) (*Store, error) {
	c, collection, err := configure(address)
	if err == nil {
		err = remote.Defaults(&o, maxDimension)
	}
	if err != nil {
		return nil, err
	}
	s := &Store{database: database{calls: &remote.Calls{Options: o, Place: server(c) + "?collection=" + collection, Reword: reword}}, collection: collection}
	var oid uint32
	var missing bool
	err = s.alone(ctx, c.ConnConfig, "opening the collection", o.Timeout, func(ctx context.Context, conn *pgx.Conn) (err error) {
		if oid, err = s.establish(ctx, conn); err == nil {
			missing, err = s.unindexed(ctx, conn)
		}
		if errors.Is(err, engine.ErrNotCollection) {
			return propose(ctx, conn, server(c))
		}
		return err
	})
	if err == nil && missing {
		err = s.alone(ctx, c.ConnConfig, "indexing the collection", o.WriteTimeout, s.index)
	}
	if err != nil {
		return nil, err
	}
	if err = s.connect(ctx, c, oid); err != nil {
		return nil, s.calls.Explain("opening the collection", err)
	}
	s.Store = remote.New(managedDriver{s}, s.calls, remote.Config{
		Dimension: s.dim, Index: remote.Index{None: o.Fill || s.dim > maxIndexedHalf, Passages: true}, Limits: remote.Limits{Whole: math.MaxInt},
	})
	return s, nil
}

// Encoder returns the encoder of the collection.
func (s *Store) Encoder() string { return s.encoder }

// Compile refuses what PostgreSQL cannot compare; it decides everything else.
func (d managedDriver) Compile(_ context.Context, filter query.Node) (remote.Where, error) {
	return remote.Where{Native: filter}, comparable(filter)
}

// Close closes the connections.
func (d managedDriver) Close() error { return d.close() }
