package weaviate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/weaviate/weaviate-go-client/v5/weaviate/connection"
	pb "github.com/weaviate/weaviate/grpc/generated/protocol/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
)

// maxMessage is the most that is taken from a server, and sent to it, at once. It
// is what Weaviate's own limit is unless it is set otherwise.
const maxMessage = 100 << 20

// maxBody is the most of an answer over HTTP, where a vector is written in digits.
const maxBody = 4 * maxMessage

const connectTimeout = 5 * time.Second

// patience is how long a single request may take, and somewhat longer for each byte
// of it, before it is made again. A server whose cluster has just lost its leader
// may wait for an answer from there without end, and answers the next request.
var patience = 10 * time.Second // shorter in tests

const patiencePerByte = 10 * time.Microsecond

// host is a node that can be asked.
type host struct {
	rest *connection.Connection
	http *http.Client
	conn *grpc.ClientConn
	grpc pb.WeaviateClient
}

func newHost(a hostAddress, secure bool, key string) (*host, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	transport.MaxConnsPerHost, transport.MaxIdleConnsPerHost = parallelism*4, parallelism*4
	h := &host{http: &http.Client{
		Transport:     bounded{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	scheme, headers := "http", map[string]string{}
	options := []grpc.DialOption{
		grpc.WithUnaryInterceptor(patient),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: connectTimeout,
		}),
	}
	if secure {
		scheme = "https"
		options = append(options, grpc.WithTransportCredentials(credentials.NewTLS(nil)))
	} else {
		options = append(options, grpc.WithTransportCredentials(insecure.NewCredentials()))
	}
	if key != "" {
		headers["Authorization"] = "Bearer " + key
		options = append(options, grpc.WithPerRPCCredentials(bearer(key)))
	}
	conn, err := grpc.NewClient(a.grpc, options...)
	if err != nil {
		return nil, err
	}
	h.conn, h.grpc = conn, pb.NewWeaviateClient(conn)
	h.rest = connection.NewConnection(scheme, a.rest, h.http, 0, headers)
	// The finalizer that comes with it waits for a receiver that there is not, and
	// all finalizers of the process wait with it.
	runtime.SetFinalizer(h.rest, nil)
	return h, nil
}

func (h *host) close() error {
	h.http.CloseIdleConnections()
	return h.conn.Close()
}

// alive reports whether the node answers at all.
func (h *host) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, suspicion)
	defer cancel()
	answer, err := h.rest.RunREST(ctx, "/.well-known/live", http.MethodGet, nil)
	return err == nil && answer.StatusCode == http.StatusOK
}

// bearer is a key that goes with every call over gRPC.
type bearer string

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

// RequireTransportSecurity is false: whoever asks for plain HTTP sends the key that
// way, too.
func (bearer) RequireTransportSecurity() bool { return false }

// patient gives every call over gRPC a deadline of its own.
func patient(ctx context.Context, method string, request, reply any, c *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	limit := patience
	if m, ok := request.(proto.Message); ok {
		limit += time.Duration(proto.Size(m)) * patiencePerByte
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return invoke(ctx, method, request, reply, c, options...)
}

// bounded gives every call over HTTP a deadline of its own, and cuts answers that
// are too long.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	response, err := b.RoundTripper.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	response.Body = &boundedBody{response.Body, maxBody, cancel}
	return response, nil
}

// CloseIdleConnections lets http.Client.CloseIdleConnections through.
func (b bounded) CloseIdleConnections() { b.RoundTripper.(*http.Transport).CloseIdleConnections() }

var errTooLong = fmt.Errorf("an answer has more than %d bytes: %w", maxBody, errGarbage)

// errGarbage is in errors about answers that Weaviate does not give.
var errGarbage = errors.New("is this a Weaviate server, of version 1.33 or later?")

type boundedBody struct {
	io.ReadCloser
	left int
	done context.CancelFunc
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

// Close ends the call.
func (b *boundedBody) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
