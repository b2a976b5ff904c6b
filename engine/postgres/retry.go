package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/retry"
)

// repetitions is how often a call is tried again, after firstPause, then after
// twice that, and so on.
const repetitions = 3

var firstPause = 100 * time.Millisecond // shorter in tests

// errSlow is why a call ended that took too long.
var errSlow = errors.New("no answer in time")

// attempt runs f, which must be safe to run again after an error that retriable
// approves of, and explains how it failed.
func (s *Store) attempt(ctx context.Context, doing string, limit time.Duration, retriable func(error) bool, f func(context.Context) error) error {
	inner, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	for try := 0; ; try++ {
		err := f(inner)
		if err == nil {
			return nil
		}
		if cause := context.Cause(inner); errors.Is(cause, errSlow) {
			err = fmt.Errorf("there was no answer within %s: the server is overloaded or stuck, or the time-out too short (%w)", limit, context.DeadlineExceeded)
			return s.explain(doing, err)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", doing, ctx.Err())
		}
		if try == repetitions || !retriable(err) || retry.Sleep(inner, retry.Pause(firstPause, time.Second, try)) != nil {
			return s.explain(doing, err)
		}
	}
}

// again reports whether an attempt may go better the next time: the connection
// was lost or could not be made, the server is about to stop or start, or a
// transaction stood in the way of another. Whatever was not committed is undone.
func again(err error) bool {
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

// explain says what was being done, where, and what went wrong there.
func (s *Store) explain(doing string, err error) error {
	var mismatch *engine.MismatchError
	var format *engine.FormatError
	var server *pgconn.PgError
	switch {
	case errors.As(err, &mismatch) || errors.As(err, &format):
		return err // which say all of it
	case errors.As(err, &server):
		if connect := (*pgconn.ConnectError)(nil); errors.As(err, &connect) {
			err = server // without all that was tried before
		}
		return fmt.Errorf("%s in %s: the server says: %w", doing, s.place, err)
	case lost(err) && !errors.Is(err, context.DeadlineExceeded): // which is a net.Error
		return fmt.Errorf("%s in %s: the server cannot be reached, or has hung up: %w", doing, s.place, err)
	}
	return fmt.Errorf("%s in %s: %w", doing, s.place, err)
}
