package weaviate

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
)

// A server that is stopped for a while.
func TestStopped(t *testing.T) {
	c := own(t, weaviatetest.Options{})
	s := opened(t, c.URL(), Options{Dimension: dim})
	if err := s.Upsert(context.Background(), documents(10)); err != nil {
		t.Fatal(err)
	}
	usual := s.options
	s.options.Timeout, s.options.WriteTimeout = 200*time.Millisecond, 200*time.Millisecond
	if err := c.Signal(0, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a stopped server", func() bool { // a signal takes its time
		_, err := s.Size(context.Background())
		return err != nil
	})
	for name, call := range calls(s) {
		if err := call(context.Background()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s of a stopped server: %v", name, err)
		}
	}
	if err := c.Signal(0, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s.options = usual
	for name, call := range calls(s) {
		if err := call(context.Background()); err != nil {
			t.Errorf("%s after the server went on: %v", name, err)
		}
	}
}

// Of three nodes that have everything one is stopped: one that is not asked, then
// the one that is. Searches go on, and nothing is missing.
func TestStoppedNode(t *testing.T) {
	ctx, c := context.Background(), three(t)
	s := opened(t, c.URL(), Options{Dimension: dim, Shards: 3, Replicas: 3, Consistency: "ALL"})
	docs := documents(30)
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	v := [][]float32{docs[0].Vector}
	for _, node := range []int{2, 0} {
		if err := c.Signal(node, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{5, 30, 5, 30} { // by the indexes, and all of them
			found, err := s.Pool(ctx, v, k, nil, v)
			if err != nil || len(found.Refs) != k || found.Degraded != nil {
				t.Errorf("a search without node %d: %+v, %v", node, found, err)
			}
		}
		if err := c.Signal(node, syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
}
