package weaviate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

// proxies stand between a store and a node.
type proxies struct{ rest, grpc *testserver.Proxy }

func newProxies(t *testing.T, c *testCluster, node int) proxies {
	return proxies{testserver.NewProxy(t, c.HTTP(node)), testserver.NewProxy(t, c.GRPC(node))}
}

// proxied is a store behind proxies, with some documents in it.
func proxied(t *testing.T) (*remote.Store, proxies) {
	c := sharedCluster(t)
	p := newProxies(t, c, 0)
	s, err := Open(context.Background(), fmt.Sprintf("weaviate://%s/?grpc=%s&collection=%s&vector=dense&id=ref", p.rest.Address(), p.grpc.Address(), filled(t, c, "cosine", enginetest.Documents(10))), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, p
}

// A server that is not there is said not to be there, and the key is not.
func TestDown(t *testing.T) {
	t.Setenv("WEAVIATE_API_KEY", "hunter2")
	at := testserver.Unused(t)
	_, err := Open(context.Background(), "weaviate://"+at+"/?collection=films", engine.Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(err.Error(), "weaviate://"+at+"/?collection=Films") ||
		strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got error %v, want one without the secret", err)
	}
}
