package milvus

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
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

	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/retry"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// maxMessage is the most that is taken from a server, and sent to it, at once: what
// Milvus takes unless it is set otherwise.
const maxMessage = 64 << 20

const connectTimeout = 5 * time.Second

// A client returns errors of gRPC, *refusal, and these two.
var (
	// errLost is in errors of connections that are gone or were not made.
	errLost = errors.New("the server cannot be reached, or has hung up")
	// errGarbage is in errors about answers that Milvus does not give.
	errGarbage = errors.New("is this a Milvus server?")
)

// refusal is an error of the server.
type refusal struct {
	code   int32
	reason string
	again  bool // it may do it later
}

func (r *refusal) Error() string { return "the server says: " + r.reason }

// Error codes of new and old versions.
const (
	codeNoCollection, oldNoCollection = 100, 4
	codeNotLoaded                     = 101
	codeNoIndex, oldNoIndex           = 700, 11
)

func refused(err error, codes ...int32) bool {
	var r *refusal
	if !errors.As(err, &r) {
		return false
	}
	for _, code := range codes {
		if r.code == code {
			return true
		}
	}
	return false
}

// client asks a server.
type client struct {
	conn            *grpc.ClientConn
	token, database string
}

// newClient is one for an address; without a configuration of TLS the server is asked in
// the clear, the password included.
func newClient(a *address, security *tls.Config) (*client, error) {
	secrecy := insecure.NewCredentials()
	if security != nil {
		secrecy = credentials.NewTLS(security)
	}
	conn, err := grpc.NewClient(a.host,
		grpc.WithTransportCredentials(secrecy),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: connectTimeout,
		}),
	)
	if err != nil {
		return nil, err
	}
	return &client{conn, a.token, a.database}, nil
}

// answered is a response with a status.
type answered interface {
	proto.Message
	GetStatus() *wire.Status
}

// ask sends a request that may be sent twice, and repeats it if the connection is lost.
func (c *client) ask(ctx context.Context, method string, request proto.Message, answer answered) error {
	return c.again(ctx, method, request, answer, answer.GetStatus)
}

func (c *client) again(ctx context.Context, method string, request, answer proto.Message, outcome func() *wire.Status) error {
	return remote.Again(ctx, hopeful, func() error {
		c.conn.ResetConnectBackoff()
		proto.Reset(answer)
		if err := c.invoke(ctx, method, request, answer); err != nil {
			return err
		}
		if s := outcome(); s.GetCode() != 0 || s.GetErrorCode() != 0 {
			return &refusal{cmp.Or(s.GetCode(), s.GetErrorCode()), cmp.Or(c.shown(s.GetReason()), "no"), s.GetRetriable()}
		}
		return nil
	})
}

func (c *client) invoke(ctx context.Context, method string, request, answer proto.Message) error {
	if c.token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", c.token)
	}
	if c.database != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "dbname", c.database)
	}
	err := c.conn.Invoke(ctx, "/milvus.proto.milvus.MilvusService/"+method, request, answer)
	switch s := status.Convert(err); s.Code() {
	case codes.OK:
		return nil
	case codes.Unavailable:
		return fmt.Errorf("%w: %w", errLost, err)
	case codes.Unimplemented:
		return fmt.Errorf("%s: %w", c.shown(s.Message()), errGarbage)
	default:
		return status.Error(s.Code(), c.shown(s.Message()))
	}
}

// shown returns a message of the server without the password.
func (c *client) shown(text string) string {
	const most = 1000
	if c.token != "" {
		text = strings.ReplaceAll(text, c.token, "…")
		if plain, err := base64.StdEncoding.DecodeString(c.token); err == nil {
			_, password, _ := strings.Cut(string(plain), ":")
			text = strings.ReplaceAll(text, string(plain), "…")
			if password != "" {
				text = strings.ReplaceAll(text, password, "…")
			}
		}
	}
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// hopeful reports whether a request may go better the next time.
func hopeful(err error) bool {
	var r *refusal
	return errors.Is(err, errLost) && !retry.Hopeless(err) || errors.As(err, &r) && r.again
}

// tooLarge reports whether an answer, or a question, does not fit into a message.
func tooLarge(err error) bool { return status.Code(err) == codes.ResourceExhausted }

// reword adds a remedy to an error of the server.
func reword(err error) error {
	switch code := status.Code(err); {
	case refused(err, codeNotLoaded):
		return fmt.Errorf("the collection is not loaded, so that it cannot be searched: load it (load_collection in Milvus's client) (%w)", err)
	case code == codes.Unauthenticated || code == codes.PermissionDenied:
		return fmt.Errorf("the server refuses user and password: give others in the address or in MILVUS_TOKEN (%w)", err)
	}
	return err
}

// each runs f for 0 to n-1, some at the same time, until one fails.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	return workers.Each(ctx, n, remote.Parallelism, f)
}

func (c *client) close() error { return c.conn.Close() }
