package weaviate

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
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
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// maxMessage limits the size of a message in either direction. It equals Weaviate's default
// limit.
const maxMessage = 100 << 20

const connectTimeout = 5 * time.Second

// patience is how long a single request may take, and somewhat longer for each byte
// of it, before it is made again. A server whose cluster has just lost its leader
// may wait for an answer from there without end, and answers the next request.
var patience = 10 * time.Second // shorter in tests

const patiencePerByte = 10 * time.Microsecond

// The errors of a host are those of gRPC, with its codes, also where it was asked over
// HTTP; and these two.
var (
	// errLost is in errors of connections that are gone or were not made.
	errLost = errors.New("the server cannot be reached, or has hung up")
	// errGarbage is in errors about answers that Weaviate does not give.
	errGarbage = errors.New("is this a Weaviate server, of version 1.33 or later?")
)

// host is a node that can be asked.
type host struct {
	url  string // of its REST interface
	key  string // to the server
	http *http.Client
	conn *grpc.ClientConn
}

// newHost is one at an address; without a configuration of TLS it is asked in the
// clear, the key included.
func newHost(a hostAddress, security *tls.Config, key string) (*host, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	transport.MaxConnsPerHost, transport.MaxIdleConnsPerHost = remote.Parallelism*4, remote.Parallelism*4
	scheme, secrecy := "http", insecure.NewCredentials()
	if security != nil {
		scheme, secrecy = "https", credentials.NewTLS(security)
		transport.TLSClientConfig = security.Clone()
	}
	conn, err := grpc.NewClient(a.grpc,
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
	return &host{url: scheme + "://" + a.rest + "/v1/", key: key, conn: conn, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func (h *host) close() error {
	h.http.CloseIdleConnections()
	return h.conn.Close()
}

func (h *host) search(ctx context.Context, r *wire.SearchRequest) (*wire.SearchReply, error) {
	reply := new(wire.SearchReply)
	return reply, h.invoke(ctx, "Search", r, reply)
}

func (h *host) aggregate(ctx context.Context, r *wire.AggregateRequest) (*wire.AggregateReply, error) {
	reply := new(wire.AggregateReply)
	return reply, h.invoke(ctx, "Aggregate", r, reply)
}

// invoke makes a request over gRPC.
func (h *host) invoke(ctx context.Context, method string, request, reply proto.Message) error {
	ctx, cancel := context.WithTimeout(ctx, patience+time.Duration(proto.Size(request))*patiencePerByte)
	defer cancel()
	if h.key != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+h.key)
	}
	err := h.conn.Invoke(ctx, "/weaviate.v1.Weaviate/"+method, request, reply)
	switch s := status.Convert(err); s.Code() {
	case codes.OK:
		return nil
	case codes.Unavailable, codes.DeadlineExceeded:
		return fmt.Errorf("%w: %w", errLost, err)
	default:
		return h.says(s.Code(), s.Message())
	}
}

// says is what the server says of an error. Some repeat what they were asked, which
// is not to show the key.
func (h *host) says(code codes.Code, text string) error {
	const most = 1000
	if h.key != "" {
		text = strings.ReplaceAll(text, h.key, "…")
	}
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return status.Error(code, cmp.Or(text, code.String()))
}
