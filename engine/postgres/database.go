package postgres

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// database asks the server about a collection or a table.
type database struct {
	calls    *remote.Calls
	pool     *pgxpool.Pool
	settings map[string]string // of all statements
}

// connect makes the pool of connections, which know the vector type by its OID.
func (d *database) connect(ctx context.Context, c *pgxpool.Config, oid uint32) (err error) {
	c.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{Name: "vector", OID: oid, Codec: codec{}})
		return nil
	}
	d.pool, err = pgxpool.NewWithConfig(ctx, c)
	return err
}

// alone runs f on a connection of its own: those of the pool know vectors, which the database
// may not yet do.
func (d *database) alone(ctx context.Context, c *pgx.ConnConfig, doing string, limit time.Duration, f func(context.Context, *pgx.Conn) error) error {
	return d.calls.Run(ctx, doing, limit, repeated(again, func(ctx context.Context) error {
		conn, err := pgx.ConnectConfig(ctx, c.Copy())
		if err != nil {
			return err
		}
		defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // all is done, or it has failed before
		return f(ctx, conn)
	}))
}

// read runs f, which may be run again.
func (d *database) read(ctx context.Context, doing string, f func(context.Context) error) error {
	return d.calls.Read(ctx, doing, repeated(again, f))
}

// Attempt repeats a call whose connection is lost.
func (d *database) Attempt(ctx context.Context, f func(context.Context) error) error {
	return repeated(again, f)(ctx)
}

// close closes the connections.
func (d *database) close() error {
	d.pool.Close()
	return nil
}

// ask runs one statement that reads, in one round trip, in a read-only transaction with
// settings of its own. The rows hold a connection until they are closed.
func (d *database) ask(ctx context.Context, text string, args []any, settings map[string]string) (*reading, error) {
	batch := &pgx.Batch{}
	all := maps.Clone(settings)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, d.settings)
	set, values := `SELECT set_config('transaction_read_only', 'on', true), set_config('statement_timeout', $1, true)`, arguments{milliseconds(d.calls.Options.Timeout)}
	for _, name := range slices.Sorted(maps.Keys(all)) { // in order: equal statements are prepared once
		set += fmt.Sprintf(", set_config('%s', %s, true)", name, values.add(all[name]))
	}
	batch.Queue(set, values...)
	batch.Queue(text, args...)
	results := d.pool.SendBatch(ctx, batch)
	if _, err := results.Exec(); err != nil {
		return nil, cmp.Or(err, results.Close())
	}
	rows, err := results.Query()
	if err != nil {
		return nil, cmp.Or(err, results.Close())
	}
	return &reading{rows, results}, nil
}

// reading are the rows of a statement in a batch.
type reading struct {
	pgx.Rows
	batch pgx.BatchResults
}

// Close gives the connection back.
func (r *reading) Close() {
	r.Rows.Close()
	r.batch.Close() //nolint:errcheck // an error of the rows is in their Err
}

// each runs a statement and calls visit for each row, which is in targets.
func (d *database) each(ctx context.Context, text string, args []any, settings map[string]string, targets []any, visit func() error) error {
	rows, err := d.ask(ctx, text, args, settings)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if err := visit(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// refs returns the refs that a statement selects: numbers or texts.
func (d *database) refs(ctx context.Context, text string, args []any) (refs []engine.Ref, err error) {
	var key any
	err = d.each(ctx, text, args, nil, []any{&key}, func() error {
		switch key := key.(type) {
		case int64:
			refs = append(refs, refOf(key))
		case string:
			refs = append(refs, engine.Ref{Key: key})
		}
		return nil
	})
	return refs, err
}

// milliseconds formats a duration for the server's settings.
func milliseconds(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }
