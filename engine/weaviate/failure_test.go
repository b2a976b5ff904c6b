package weaviate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

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

func (p proxies) url() string {
	return fmt.Sprintf("weaviate://%s/?grpc=%s", p.rest.Address(), p.grpc.Address())
}

// proxied is a store behind proxies, with some documents in it.
func proxied(t *testing.T) (*Store, proxies) {
	c := sharedCluster(t)
	p := newProxies(t, c, 0)
	s := opened(t, p.url(), Options{Collection: collection(t, c), Dimension: dim})
	if err := s.Upsert(context.Background(), documents(10)); err != nil {
		t.Fatal(err)
	}
	return s, p
}

// calls are all that a store can be asked.
func calls(s *Store) map[string]func(context.Context) error {
	v := [][]float32{documents(1)[0].Vector}
	return map[string]func(context.Context) error{
		"Size":      func(ctx context.Context) error { _, err := s.Size(ctx); return err },
		"Pool":      func(ctx context.Context) error { _, err := s.Pool(ctx, v, 3, nil, v); return err },
		"all":       func(ctx context.Context) error { _, err := s.Pool(ctx, v, 30, nil, v); return err },
		"Documents": func(ctx context.Context) error { _, err := s.Documents(ctx, []engine.Ref{1, 2}); return err },
		"Get":       func(ctx context.Context) error { _, err := s.Get(ctx, "id-1"); return err },
		"Find":      func(ctx context.Context) error { _, err := s.Find(ctx, "id-1"); return err },
		"List":      func(ctx context.Context) error { _, _, err := s.List(ctx, "", 3); return err },
		"Notes":     func(ctx context.Context) error { _, err := s.Notes(ctx, ""); return err },
		"SetNotes":  func(ctx context.Context) error { return s.SetNotes(ctx, map[string]string{"a": "b", "c": ""}) },
		"Upsert":    func(ctx context.Context) error { return s.Upsert(ctx, documents(3)) },
		"Delete":    func(ctx context.Context) error { _, err := s.Delete(ctx, []string{"none"}); return err },
	}
}

// A connection that was cut is made again.
func TestCutBetweenCalls(t *testing.T) {
	s, p := proxied(t)
	for name, call := range calls(s) {
		p.cut()
		if err := call(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Wherever a batch is cut, it is tried again, and ends up stored once.
func TestCutInABatch(t *testing.T) {
	s, p := proxied(t)
	ctx := context.Background()
	docs := documents(40)
	for cut := int64(1); cut < 20_000; cut = cut*3 + 100 {
		if _, err := s.Delete(ctx, []string{"id-20", "id-30"}); err != nil {
			t.Fatal(err)
		}
		p.grpc.Allowed.Store(cut)
		if err := s.Upsert(ctx, docs); err != nil {
			t.Errorf("cut after %d bytes: %v", cut, err)
		}
		if p.grpc.Allowed.Load() > 0 {
			t.Errorf("a batch took less than %d bytes: nothing was cut", cut)
		}
		p.grpc.Allowed.Store(0)
		size, err := s.Size(ctx)
		if err != nil || size.Documents != 40 || size.Vectors != 120 || !hasAll(s, docs, nil) {
			t.Errorf("cut after %d bytes: %+v, %v", cut, size, err)
		}
	}
}

// A connection that is cut while documents are deleted does not change how many
// there were.
func TestCutInADelete(t *testing.T) {
	s, p := proxied(t)
	ctx := context.Background()
	for cut := int64(1); cut < 2000; cut = cut*2 + 50 {
		if err := s.Upsert(ctx, documents(10)); err != nil {
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

// A server that does not answer ends a call with a time-out that says so.
func TestSilence(t *testing.T) {
	s, p := proxied(t)
	usual := s.options
	for name, call := range calls(s) {
		s.options.Timeout, s.options.WriteTimeout = 200*time.Millisecond, 200*time.Millisecond
		p.stick(true)
		err := call(context.Background())
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 200ms") || strings.Contains(err.Error(), "hung up") {
			t.Errorf("%s: %v", name, err)
		}
		p.stick(false)
		p.cut()
		s.options = usual
		if err := call(context.Background()); err != nil {
			t.Errorf("%s, afterwards: %v", name, err)
		}
	}
	p.stick(true)
	defer p.cut()
	for name, call := range calls(s) {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- call(ctx) }()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled while nothing comes: %v", name, err)
		}
	}
}

// Of several hosts, those that do not answer or are not there are passed over.
func TestPassedOver(t *testing.T) {
	c := sharedCluster(t)
	stuck, good := newProxies(t, c, 0), newProxies(t, c, 0)
	url := fmt.Sprintf("weaviate://%s,%s,%s/?grpc=%s,%s,%s", unused(t), stuck.rest.Address(), good.rest.Address(), unused(t), stuck.grpc.Address(), good.grpc.Address())
	s := opened(t, url, Options{Collection: collection(t, c), Dimension: dim})
	if err := s.Upsert(context.Background(), documents(10)); err != nil {
		t.Fatal(err)
	}
	for name, call := range calls(s) {
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

// unused is an address where nobody listens.
func unused(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A server that is not there is said not to be there, and the key is not.
func TestDown(t *testing.T) {
	t.Setenv("WEAVIATE_API_KEY", "hunter2")
	at := unused(t)
	_, err := Open(context.Background(), "weaviate://"+at+"/?collection=films", Options{})
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
	s := opened(t, c.URL(), Options{Dimension: dim})
	docs := documents(100)
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
	for name, call := range calls(s) {
		if err := call(ctx); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("%s of a killed server: %v", name, err)
		}
	}
	if err := c.Restart(ctx, 0); err != nil {
		t.Fatal(err)
	}
	for i := range docs[:50] {
		if _, err := s.Get(ctx, docs[i].ID); err != nil {
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
