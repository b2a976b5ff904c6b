package postgres

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/retry"
)

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
	return d.calls.Run(ctx, doing, limit, func(ctx context.Context) error {
		conn, err := pgx.ConnectConfig(ctx, c.Copy())
		if err != nil {
			return err
		}
		defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // all is done, or it has failed before
		return f(ctx, conn)
	})
}

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

func milliseconds(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }

// again reports whether an attempt may go better the next time: the connection
// was lost or could not be made, the server is about to stop or start, or a
// transaction stood in the way of another. Whatever was not committed is undone.
func again(err error) bool {
	if _, ok := errors.AsType[undecided](err); ok {
		return false
	}
	if code := sqlState(err); code != "" {
		switch code {
		case "40001", "40P01", // serialization failure, deadlock
			"23505",                   // two that add the same at the same time
			"57P01", "57P02", "57P03", // the server stops, has crashed, starts
			"53300": // too many connections
			return true
		}
		return strings.HasPrefix(code, "08")
	}
	return lost(err) && !retry.Hopeless(err)
}

// sqlState is the server's code of an error, or empty.
func sqlState(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// lost reports whether a connection is gone or was not made.
func lost(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

func reword(err error) error {
	var server *pgconn.PgError
	switch {
	case errors.As(err, &server):
		if connect := (*pgconn.ConnectError)(nil); errors.As(err, &connect) {
			err = server // without all that was tried before
		}
		return fmt.Errorf("the server says: %w", err)
	case lost(err):
		return fmt.Errorf("the server cannot be reached, or has hung up: %w", err)
	}
	return err
}

// vector is a value of pgvector's type. Nil is NULL.
type vector []float32

// codec sends and receives vectors in pgvector's binary form: the dimension and
// an unused field, both of 16 bits, then the components, all in network order.
type codec struct{}

func (codec) FormatSupported(format int16) bool { return format == pgtype.BinaryFormatCode }
func (codec) PreferredFormat() int16            { return pgtype.BinaryFormatCode }

func (codec) PlanEncode(_ *pgtype.Map, _ uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(vector); !ok || format != pgtype.BinaryFormatCode {
		return nil
	}
	return plan{}
}

func (codec) PlanScan(_ *pgtype.Map, _ uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*vector); !ok || format != pgtype.BinaryFormatCode {
		return nil
	}
	return plan{}
}

func (codec) DecodeDatabaseSQLValue(_ *pgtype.Map, _ uint32, _ int16, src []byte) (driver.Value, error) {
	return src, nil
}

func (codec) DecodeValue(_ *pgtype.Map, _ uint32, _ int16, src []byte) (any, error) {
	return decodeVector(src)
}

type plan struct{}

func (plan) Encode(value any, buf []byte) ([]byte, error) {
	v := value.(vector)
	if v == nil {
		return nil, nil
	}
	buf = binary.BigEndian.AppendUint16(buf, uint16(len(v)))
	buf = append(buf, 0, 0)
	for _, x := range v {
		buf = binary.BigEndian.AppendUint32(buf, math.Float32bits(x))
	}
	return buf, nil
}

func (plan) Scan(src []byte, target any) error {
	v, err := decodeVector(src)
	*target.(*vector) = v
	return err
}

func decodeVector(src []byte) (vector, error) {
	if src == nil {
		return nil, nil
	}
	if len(src) < 4 {
		return nil, fmt.Errorf("a vector of %d bytes", len(src))
	}
	n := int(binary.BigEndian.Uint16(src))
	body := src[4:]
	if len(body) != 4*n {
		return nil, fmt.Errorf("a vector of %d dimensions in %d bytes", n, len(src))
	}
	v := make(vector, n)
	for i := range v {
		v[i] = math.Float32frombits(binary.BigEndian.Uint32(body[4*i:]))
		if x := float64(v[i]); math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("a vector whose component %d is %g", i, x)
		}
	}
	return v, nil
}
