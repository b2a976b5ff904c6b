package weaviate

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/remote/rpc"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// maxMessage limits the size of a message. It equals Weaviate's default limit.
const maxMessage = 100 << 20

// patience limits a single request, which is then repeated. A server whose cluster has just lost
// its leader may never answer a request, but answers the next.
var patience = 10 * time.Second // shorter in tests

const advice = "set WEAVIATE_API_KEY to a key that may read the class"

var errGarbage = errors.New("is this a Weaviate server, of version 1.33 or later?")

var scheme = remote.Scheme{
	Name: "weaviate", Engine: "Weaviate", Port: "8080", Settings: []string{"grpc", "tenant"},
	Advice:     "the API key belongs into the environment variable WEAVIATE_API_KEY",
	Collection: "Nsfl", Names: regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,199}$`), Rule: "a letter followed by up to 199 letters, digits and underscores",
}

func configure(text string) (*remote.Address, error) {
	a, err := scheme.Parse(text)
	if err != nil {
		return nil, err
	}
	a.Collection = strings.ToUpper(a.Collection[:1]) + a.Collection[1:] // as Weaviate does
	if a.Settings["grpc"] == "" {
		a.Settings["grpc"] = a.Host[:strings.LastIndexByte(a.Host, ':')]
	}
	a.Settings["grpc"], err = scheme.HostPort(a.Settings["grpc"], "50051")
	return a, err
}

// client is a client of a node: over HTTP for the schema and the cluster, over gRPC for objects.
type client struct {
	web *remote.Web
	rpc *rpc.Conn
}

func newClient(a *remote.Address, security *tls.Config) (*client, error) {
	key := os.Getenv("WEAVIATE_API_KEY")
	hide := remote.Hide(key)
	c := &client{web: remote.NewWeb(a.URL()+"/v1/", hide)}
	c.web.Advise = func(e *webclient.StatusError) {
		if e.Code == http.StatusUnauthorized || e.Code == http.StatusForbidden {
			e.Advice = advice
		}
	}
	if security != nil {
		c.web.UseTLS(security.Clone())
	}
	config := rpc.Config{Host: a.Settings["grpc"], TLS: security, Service: "weaviate.v1.Weaviate", MaxMessage: maxMessage, Hide: hide, Patience: patience, Again: again}
	if key != "" {
		if err := c.web.SetHeader("Authorization", "Bearer "+key); err != nil {
			return nil, err
		}
		config.Metadata = []string{"authorization", "Bearer " + key}
	}
	var err error
	c.rpc, err = rpc.Dial(config)
	return c, err
}

// again reports whether a request may succeed the next time. Weaviate has no code of its own
// for "a replica could not be reached".
func again(err error) bool {
	switch status.Code(err) {
	case codes.Unknown:
		_, answered := status.FromError(err)
		return answered
	case codes.Internal, codes.Aborted, codes.Canceled:
		return true
	}
	return false
}

func (c *client) Close() error { return errors.Join(c.web.Close(), c.rpc.Close()) }

func (c *client) get(ctx context.Context, path string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return c.web.Ask(ctx, http.MethodGet, path, nil, answer)
}

func isNotFound(err error) bool { return remote.Refused(err, http.StatusNotFound) }

func (c *client) search(ctx context.Context, r *wire.SearchRequest) ([]*wire.SearchResult, error) {
	reply := new(wire.SearchReply)
	err := c.rpc.Ask(ctx, "Search", r, reply)
	return reply.GetResults(), err
}

func vectorMessage(name string, v []float32) *wire.Vectors {
	return &wire.Vectors{Name: name, Type: wire.Vectors_VECTOR_TYPE_SINGLE_FP32, VectorBytes: remote.PackVector(v)}
}
