package weaviate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

// three starts a cluster whose replicas soon agree.
func three(t *testing.T) *testCluster {
	return own(t, clusterOptions{Nodes: 3, Env: []string{
		"ASYNC_REPLICATION_FREQUENCY=500ms", "ASYNC_REPLICATION_FREQUENCY_WHILE_PROPAGATING=100ms",
		"ASYNC_REPLICATION_ALIVE_NODES_CHECKING_FREQUENCY=500ms", "ASYNC_REPLICATION_PROPAGATION_DELAY=100ms",
	}})
}

// eventually waits until a condition holds that other processes bring about.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	begin := time.Now()
	for !holds() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("%s: not within a minute", what)
		}
	}
	t.Logf("%s after %s", what, time.Since(begin).Round(10*time.Millisecond))
}

// If the only node with a part of the documents is away, fewer are found, and the result
// reports it.
func TestDegraded(t *testing.T) {
	ctx, c := context.Background(), three(t)
	const n = 90
	docs := enginetest.Documents(n)
	s := attachedTo(t, c, filled(t, c, "cosine", docs)+"&vector=dense&id=ref") // with a shard on each node
	v := [][]float32{docs[0].Vector}
	for _, k := range []int{5, n} { // by the indexes, and all of them
		all, err := s.Pool(ctx, v, k, nil, v)
		if err != nil || len(all.Refs) != k || all.Degraded != nil {
			t.Fatalf("%d documents, %v, %v", len(all.Refs), all.Degraded, err)
		}
	}
	for _, gone := range []int{2, 1} { // 0 is asked
		all, err := s.Pool(ctx, v, n, nil, v)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Kill(gone); err != nil {
			t.Fatal(err)
		}
		var found *engine.Columns
		eventually(t, "a partial answer", func() bool {
			for _, k := range []int{5, n} {
				found, err = s.Pool(ctx, v, k, nil, v)
				if err != nil {
					return false
				}
				if found.Degraded == nil && len(found.Refs) < k {
					t.Fatalf("%d of %d documents, and nothing is said", len(found.Refs), k)
				}
			}
			return found.Degraded != nil
		})
		t.Log(found.Degraded)
		if len(found.Refs) == 0 || len(found.Refs) >= n || !strings.Contains(found.Degraded[0], "shards") {
			t.Errorf("%d documents, %v", len(found.Refs), found.Degraded)
		}
		if docs, err := s.Documents(ctx, found.Refs, engine.AllParts); err != nil || len(docs) != len(found.Refs) {
			t.Errorf("reading what is there: %v", err)
		}
		if _, err := s.Documents(ctx, all.Refs, engine.AllParts); err == nil || !strings.Contains(err.Error(), "cannot be asked") {
			t.Errorf("reading what is not there: %v", err)
		}
		if _, _, err := s.List(ctx, engine.Page{Limit: 10}); err == nil || !strings.Contains(err.Error(), "cannot be asked") {
			t.Errorf("listing: %v", err)
		}
		missing := 0
		for _, d := range docs {
			_, err := s.Get(ctx, d.ID, engine.AllParts)
			if errors.Is(err, engine.ErrNotFound) {
				t.Errorf("%s is said not to be there", d.ID)
			}
			if err != nil {
				missing++
			}
			if missing > 2 {
				break // each is tried again and again
			}
		}
		if missing == 0 {
			t.Error("every document can be read")
		}
		if err := c.Restart(ctx, gone); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a whole answer", func() bool {
			found, err := s.Pool(ctx, v, n, nil, v)
			return err == nil && found.Degraded == nil && len(found.Refs) == n
		})
	}
}

// Of three nodes that have everything, one that is not asked is stopped. Searches go on with
// all documents.
func TestStoppedNode(t *testing.T) {
	ctx, c := context.Background(), three(t)
	docs := enginetest.Documents(30)
	name := replicated(t, c, "cosine", docs, 3)
	s := attachedTo(t, c, name+"&vector=dense&id=ref")
	eventually(t, "every node has everything", func() bool {
		for node := range 3 {
			alone, err := Open(ctx, c.URL(node)+"&collection="+name+"&vector=dense&id=ref", engine.Options{})
			if err != nil {
				return false
			}
			size, err := alone.Size(ctx)
			if err := errors.Join(err, alone.Close()); err != nil || size.Documents != len(docs) {
				return false
			}
		}
		return true
	})
	v := [][]float32{docs[0].Vector}
	for _, node := range []int{2, 1} {
		thaw := testserver.Freeze(t, c.Process(node))
		for _, k := range []int{5, 30, 5, 30} { // by the indexes, and all of them
			found, err := s.Pool(ctx, v, k, nil, v)
			if err != nil || len(found.Refs) != k {
				t.Errorf("a search without node %d: %+v, %v", node, found, err)
			}
		}
		thaw()
	}
}
