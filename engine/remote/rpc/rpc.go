// Package rpc calls engines that speak gRPC, for their drivers.
package rpc

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/retry"
)

// ErrLost is in errors of connections that are gone or were not made.
var ErrLost = errors.New("the server cannot be reached, or has hung up")

// Config describes a server.
type Config struct {
	Host       string      // HOST:PORT
	TLS        *tls.Config // nil: no encryption, also of credentials
	Service    string
	MaxMessage int                 // bytes
	Metadata   []string            // pairs that are sent with every request
	Hide       func(string) string // removes secrets from messages of the server
	// Patience, unless 0, limits a single request, which is then repeated.
	Patience time.Duration
	// Again reports whether a request may succeed when it is repeated after an error other than
	// ErrLost.
	Again func(error) bool
	// Check, if not nil, returns the error that an answer contains.
	Check func(answer proto.Message) error
}

// Conn is a connection to a server.
type Conn struct {
	Config
	conn *grpc.ClientConn
}

// Dial returns a connection, which is made with the first request.
func Dial(c Config) (*Conn, error) {
	secrecy := insecure.NewCredentials()
	if c.TLS != nil {
		secrecy = credentials.NewTLS(c.TLS)
	}
	conn, err := grpc.NewClient(c.Host,
		grpc.WithTransportCredentials(secrecy),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(c.MaxMessage), grpc.MaxCallSendMsgSize(c.MaxMessage)),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
	)
	return &Conn{c, conn}, err
}

func (c *Conn) Close() error { return c.conn.Close() }

// Ask sends a request that may be sent twice, and repeats it after errors that may pass. An
// answer that is too long is remote.ErrLarge.
func (c *Conn) Ask(ctx context.Context, method string, request, answer proto.Message) error {
	again := func(err error) bool {
		return errors.Is(err, ErrLost) && !retry.Hopeless(err) || c.Again != nil && c.Again(err)
	}
	return remote.Again(ctx, again, func() error {
		c.conn.ResetConnectBackoff()
		proto.Reset(answer)
		if err := c.once(ctx, method, request, answer); err != nil || c.Check == nil {
			return err
		}
		return c.Check(answer)
	})
}

func (c *Conn) once(ctx context.Context, method string, request, answer proto.Message) error {
	if c.Patience > 0 {
		inner, cancel := context.WithTimeout(ctx, c.Patience)
		defer cancel()
		ctx = inner
	}
	err := c.conn.Invoke(metadata.AppendToOutgoingContext(ctx, c.Metadata...), "/"+c.Service+"/"+method, request, answer)
	switch s := status.Convert(err); s.Code() {
	case codes.OK:
		return nil
	case codes.Unavailable:
		return fmt.Errorf("%w: %w", ErrLost, err)
	case codes.DeadlineExceeded:
		if c.Patience > 0 {
			return fmt.Errorf("%w: %w", ErrLost, err)
		}
		return err
	case codes.ResourceExhausted:
		return fmt.Errorf("%w: %s", remote.ErrLarge, c.Text(s.Message()))
	default:
		return status.Error(s.Code(), cmp.Or(c.Text(s.Message()), s.Code().String()))
	}
}

// Text returns a message of the server without secrets, shortened if it is long.
func (c *Conn) Text(text string) string {
	const most = 1000
	text = strings.ToValidUTF8(strings.TrimSpace(c.Hide(text)), "\ufffd")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// Reword returns a function that explains errors of the server: refused credentials with advice.
func Reword(advice string) func(error) error {
	return func(err error) error {
		s, ok := status.FromError(err)
		switch {
		case !ok || errors.Is(err, ErrLost):
			return err
		case s.Code() == codes.Unauthenticated || s.Code() == codes.PermissionDenied:
			return fmt.Errorf("the server refuses the credentials: %s (%s)", advice, s.Message())
		case s.Code() == codes.Unimplemented:
			return fmt.Errorf("the server is another one, or too old (%s)", s.Message())
		}
		return fmt.Errorf("the server says: %s", s.Message())
	}
}
