package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/retry"
)

// repeated is f, run again after an error that retriable approves of.
func repeated(retriable func(error) bool, f func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		return remote.Again(ctx, retriable, func() error { return f(ctx) })
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

// reword says whose error it is.
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
