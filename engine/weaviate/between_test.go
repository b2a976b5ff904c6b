package weaviate

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// between passes calls on to a server, and answers some on its own.
type between struct {
	server *client

	mu       sync.Mutex
	search   func(*wire.SearchReply) error
	requests int
}

// answers has it change answers to searches from now on.
func (b *between) answers(change func(*wire.SearchReply) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.search, b.requests = change, 0
}

func (b *between) Search(ctx context.Context, r *wire.SearchRequest) (*wire.SearchReply, error) {
	reply, err := new(wire.SearchReply), error(nil)
	if b.server != nil {
		err = b.server.rpc.Ask(ctx, "Search", r, reply)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests++
	if err == nil && b.search != nil {
		err = b.search(reply)
	}
	return reply, err
}

// searches is how many there have been.
func (b *between) searches() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.requests
}

func (b *between) Aggregate(ctx context.Context, r *wire.AggregateRequest) (*wire.AggregateReply, error) {
	reply := new(wire.AggregateReply)
	return reply, b.server.rpc.Ask(ctx, "Aggregate", r, reply)
}

// service is what gRPC has to know of it.
var service = grpc.ServiceDesc{ServiceName: "weaviate.v1.Weaviate", HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{
	method("Search", (*between).Search), method("Aggregate", (*between).Aggregate),
}}

func method[Request, Reply any](name string, f func(*between, context.Context, *Request) (*Reply, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(b any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		r := new(Request)
		if err := decode(r); err != nil {
			return nil, err
		}
		return f(b.(*between), ctx, r)
	}}
}

// serve answers over gRPC, and tells where.
func (b *between) serve(t *testing.T, options ...grpc.ServerOption) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(options...)
	server.RegisterService(&service, b)
	ended := make(chan error)
	go func() { ended <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// throughBetween returns a store of documents that asks the server of the tests through one.
func throughBetween(t *testing.T, docs []engine.Document, o engine.Options) (*remote.Store, *between) {
	c := sharedCluster(t)
	a, err := configure(c.URL(0))
	if err != nil {
		t.Fatal(err)
	}
	server, err := newClient(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	b := &between{server: server}
	s, err := Open(context.Background(), fmt.Sprintf("weaviate://%s/?grpc=%s&collection=%s&vector=dense&id=ref", c.HTTP(0), b.serve(t), filled(t, c, "cosine", docs)), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, b
}

// Answers that do not fit into a message come in several.
func TestLargeAnswers(t *testing.T) {
	ctx := context.Background()
	docs := enginetest.Documents(50)
	s, b := throughBetween(t, docs, engine.Options{})
	b.answers(func(reply *wire.SearchReply) error {
		if len(reply.Results) > 3 {
			return status.Error(codes.ResourceExhausted, "the answer is too large")
		}
		return nil
	})
	v := [][]float32{docs[0].Vector}
	for _, k := range []int{20, 50} { // by the indexes, and all of them
		c, err := s.Pool(ctx, v, k, nil, v)
		if err != nil || len(c.Refs) != k {
			t.Fatalf("got %+v and error %v, want k documents", c, err)
		}
		found, err := s.Documents(ctx, c.Refs, engine.AllParts)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found {
			if d.ID == "" {
				t.Error("a document is missing")
			}
		}
	}
	n, mark := 0, ""
	for {
		page, next, err := s.List(ctx, engine.Page{After: mark, Limit: 20, Parts: engine.AllParts})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		n, mark = n+len(page), next
	}
	if n != 50 {
		t.Errorf("%d documents are listed", n)
	}
	b.answers(func(*wire.SearchReply) error { return status.Error(codes.ResourceExhausted, "the answer is too large") })
	if _, err := s.Pool(ctx, v, 20, nil, v); err == nil || !strings.Contains(err.Error(), "the answer is too large") {
		t.Errorf("a single document that does not fit: %v", err)
	}
}

// Answers that cannot be right are errors.
func TestLies(t *testing.T) {
	ctx := context.Background()
	docs := enginetest.Documents(10)
	s, b := throughBetween(t, docs, engine.Options{Timeout: 5 * time.Second})
	for name, c := range map[string]struct {
		lie  func(*wire.SearchResult)
		want string
	}{
		"no metadata": {func(r *wire.SearchResult) { r.Metadata = nil }, "not a UUID"},
		"an odd id":   {func(r *wire.SearchResult) { r.Metadata.Id = "x" }, "not a UUID"},
		"the same id": {func(r *wire.SearchResult) { r.Metadata.Id = keyOf("a").String() }, "order of their keys"},
		"a short vector": {func(r *wire.SearchResult) {
			for _, v := range r.Metadata.Vectors {
				v.VectorBytes = v.VectorBytes[4:]
			}
		}, "has 60 bytes"},
	} {
		b.answers(func(reply *wire.SearchReply) error {
			for _, r := range reply.Results {
				c.lie(r)
			}
			return nil
		})
		if _, _, err := s.List(ctx, engine.Page{Limit: 10, Parts: engine.AllParts}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	b.answers(func(reply *wire.SearchReply) error { reply.Results = nil; return nil })
	v := [][]float32{docs[0].Vector}
	if c, err := s.Pool(ctx, v, 3, nil, v); err != nil || len(c.Refs) != 0 || b.searches() < 2 {
		t.Errorf("lists are empty where there are documents: %+v, %v after %d searches, and all should have been asked for", c, err, b.searches())
	}
}

// Refs of documents that are not there.
func TestUnknownRefs(t *testing.T) {
	s, _ := proxied(t)
	docs, err := s.Documents(context.Background(), []engine.Ref{{}, keyOf("id-3").ref(), keyOf("never").ref(), keyOf("id-3").ref()}, engine.AllParts)
	if err != nil || docs[0].ID != "" || docs[1].ID != "id-3" || docs[2].ID != "" || docs[3].ID != "id-3" {
		t.Errorf("got %v and error %v, want id-3 in the second and the last place", docs, err)
	}
}
