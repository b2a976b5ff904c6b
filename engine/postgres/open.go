package postgres

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/nsfl-go/nsfl/engine"
)

// Store is an open collection. It is safe for concurrent use.
type Store struct {
	pool    *pgxpool.Pool
	options Options
	place   string
	dim     int
	encoder string

	documents atomic.Int64 // as they were counted last
	reach     atomic.Int64 // how many times k are fetched: see Pool
}

var _ engine.Collection = (*Store)(nil)

// Open opens a collection in the database at an address such as
//
//	postgres://USER:PASSWORD@HOST:PORT/DATABASE?collection=NAME&pool_max_conns=4
//
// and makes it where there is none and a dimension is given. What is not in the
// address comes from PostgreSQL's environment variables, PGPASSWORD for one. The
// errors that a caller may decide on are those of index.Open: engine.ErrNotCollection,
// *engine.MismatchError for another encoder or dimension, and *engine.FormatError.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	c, err := configure(dsn, &o)
	if err != nil {
		return nil, err
	}
	s := &Store{options: o, place: place(c, &o)}
	s.reach.Store(1)
	var oid uint32
	var missing bool
	err = s.alone(ctx, c.ConnConfig, "opening the collection", o.Timeout, func(ctx context.Context, conn *pgx.Conn) (err error) {
		if oid, err = s.establish(ctx, conn); err == nil {
			missing, err = s.unindexed(ctx, conn)
		}
		return err
	})
	if err == nil && missing {
		err = s.alone(ctx, c.ConnConfig, "indexing the collection", o.WriteTimeout, s.index)
	}
	if err != nil {
		return nil, err
	}
	c.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{Name: "vector", OID: oid, Codec: codec{}})
		return nil
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, c); err != nil {
		return nil, s.explain("opening the collection", err)
	}
	return s, nil
}

// alone runs f on a connection of its own: those of the pool know vectors, which
// the database may not yet do.
func (s *Store) alone(ctx context.Context, c *pgx.ConnConfig, doing string, limit time.Duration, f func(context.Context, *pgx.Conn) error) error {
	return s.attempt(ctx, doing, limit, again, func(ctx context.Context) error {
		conn, err := pgx.ConnectConfig(ctx, c.Copy())
		if err != nil {
			return err
		}
		defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // all is done, or it has failed before
		return f(ctx, conn)
	})
}

// Encoder is what the collection was made with.
func (s *Store) Encoder() string { return s.encoder }

// Close waits for the calls in progress and closes the connections.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}
