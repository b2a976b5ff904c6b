package weaviate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// proxies stand between a store and a node.
type proxies struct{ rest, grpc *enginetest.Proxy }

func newProxies(t *testing.T, c *testCluster, node int) proxies {
	return proxies{enginetest.NewProxy(t, c.HTTP(node)), enginetest.NewProxy(t, c.GRPC(node))}
}

func (p proxies) cut() {
	p.rest.Cut()
	p.grpc.Cut()
}

func (p proxies) stick(stuck bool) {
	p.rest.Stuck.Store(stuck)
	p.grpc.Stuck.Store(stuck)
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

// Of several hosts, those that do not answer or are not there are passed over.
func TestPassedOver(t *testing.T) {
	c := sharedCluster(t)
	stuck, good := newProxies(t, c, 0), newProxies(t, c, 0)
	url := fmt.Sprintf("weaviate://%s,%s,%s/?grpc=%s,%s,%s&collection=%s&vector=dense&id=ref", enginetest.Unused(t), stuck.rest.Address(), good.rest.Address(), enginetest.Unused(t), stuck.grpc.Address(), good.grpc.Address(), filled(t, c, "cosine", enginetest.Documents(10)))
	d, s, err := open(context.Background(), url, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for name, call := range enginetest.Calls(t, s, enginetest.Documents(10)) {
		s.Calls.Size.Forget()
		d.current.Store(0)
		stuck.stick(true)
		if err := call(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if at := d.current.Load() % 3; at != 2 {
			t.Errorf("%s: host %d is the first to be asked now", name, at)
		}
		stuck.stick(false)
		stuck.cut()
	}
}

// A server that is not there is said not to be there, and the key is not.
func TestDown(t *testing.T) {
	t.Setenv("WEAVIATE_API_KEY", "hunter2")
	at := enginetest.Unused(t)
	_, err := Open(context.Background(), "weaviate://"+at+"/?collection=films", engine.Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(err.Error(), "weaviate://"+at+"/?collection=Films") ||
		strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
}
