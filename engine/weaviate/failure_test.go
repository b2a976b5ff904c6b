package weaviate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
)

// proxies stand between a store and a node.
type proxies struct{ rest, grpc *enginetest.Proxy }

func newProxies(t *testing.T, c *weaviatetest.Cluster, node int) proxies {
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
func proxied(t *testing.T) (*Store, proxies) {
	c := sharedCluster(t)
	p := newProxies(t, c, 0)
	s := opened(t, fmt.Sprintf("weaviate://%s/?grpc=%s&collection=%s", p.rest.Address(), p.grpc.Address(), collection(t, c)), engine.Options{Dimension: dim})
	if err := s.Upsert(context.Background(), enginetest.Documents(10)); err != nil {
		t.Fatal(err)
	}
	return s, p
}

// A connection that is cut while documents are deleted does not change how many
// there were.
func TestCutInADelete(t *testing.T) {
	s, p := proxied(t)
	ctx := context.Background()
	for cut := int64(1); cut < 2000; cut = cut*2 + 50 {
		if err := s.Upsert(ctx, enginetest.Documents(10)); err != nil {
			t.Fatal(err)
		}
		p.rest.Cut()
		p.rest.Allowed.Store(cut)
		if n, err := s.Delete(ctx, []string{"id-1", "id-2", "id-3", "id-4", "none"}); n != 4 || err != nil {
			t.Errorf("cut after %d bytes: %d are deleted, %v", cut, n, err)
		}
		p.rest.Allowed.Store(0)
	}
}

// Of several hosts, those that do not answer or are not there are passed over.
func TestPassedOver(t *testing.T) {
	c := sharedCluster(t)
	stuck, good := newProxies(t, c, 0), newProxies(t, c, 0)
	url := fmt.Sprintf("weaviate://%s,%s,%s/?grpc=%s,%s,%s&collection=%s", enginetest.Unused(t), stuck.rest.Address(), good.rest.Address(), enginetest.Unused(t), stuck.grpc.Address(), good.grpc.Address(), collection(t, c))
	s := opened(t, url, engine.Options{Dimension: dim})
	if err := s.Upsert(context.Background(), enginetest.Documents(10)); err != nil {
		t.Fatal(err)
	}
	for name, call := range enginetest.Calls(t, s, enginetest.Documents(10)) {
		s.calls.Size.Forget()
		s.current.Store(0)
		stuck.stick(true)
		if err := call(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if at := s.current.Load() % 3; at != 2 {
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

// What is acknowledged is there after the server was killed, and what was not can
// be stored again.
func TestKilled(t *testing.T) {
	ctx := context.Background()
	c := own(t, weaviatetest.Options{})
	s := opened(t, c.URL(), engine.Options{Dimension: dim})
	docs := enginetest.Documents(100)
	if err := errors.Join(s.Upsert(ctx, docs[:50]), s.SetNotes(ctx, map[string]string{"a": "b"})); err != nil {
		t.Fatal(err)
	}
	killed := make(chan error)
	go func() { killed <- c.Kill(0) }()
	err := s.Upsert(ctx, docs[50:]) // before, after or in the middle
	t.Logf("the batch: %v", err)
	if err := <-killed; err != nil {
		t.Fatal(err)
	}
	if err := c.Restart(ctx, 0); err != nil {
		t.Fatal(err)
	}
	for i := range docs[:50] {
		if _, err := s.Get(ctx, docs[i].ID, engine.AllParts); err != nil {
			t.Errorf("%s, which was stored: %v", docs[i].ID, err)
		}
	}
	if notes, err := s.Notes(ctx, ""); err != nil || notes["a"] != "b" {
		t.Errorf("the notes are %v, %v", notes, err)
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	if size, err := s.Size(ctx); err != nil || size.Documents != 100 || size.Vectors != 300 || !hasAll(s, docs, nil) {
		t.Errorf("%+v, %v", size, err)
	}
}
