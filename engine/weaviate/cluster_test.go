package weaviate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
)

func opened(t *testing.T, url string, o engine.Options) *Store {
	t.Helper()
	c, err := Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*Store)
}

// three starts a cluster whose replicas soon know of each other what they have.
func three(t *testing.T) *weaviatetest.Cluster {
	return own(t, weaviatetest.Options{Nodes: 3, Env: []string{
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

// Where a node alone has a part of the documents and is away, what is found is less,
// and that is said.
func TestDegraded(t *testing.T) {
	ctx, c := context.Background(), three(t)
	const n = 90
	s := opened(t, c.URL()+"&shards=3&replicas=1", engine.Options{Dimension: dim})
	docs := enginetest.Documents(n)
	if err := errors.Join(s.Upsert(ctx, docs), s.SetNotes(ctx, map[string]string{"a": "b"})); err != nil {
		t.Fatal(err)
	}
	v := [][]float32{docs[0].Vector}
	for _, k := range []int{5, n} { // by the indexes, and all of them
		all, err := s.Pool(ctx, v, k, nil, v)
		if err != nil || len(all.Refs) != k || all.Degraded != nil {
			t.Fatalf("%d documents, %v, %v", len(all.Refs), all.Degraded, err)
		}
	}
	for _, gone := range []int{2, 0} { // 0 is the one that is asked
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
		if len(found.Refs) == 0 || len(found.Refs) >= n || !strings.Contains(found.Degraded[0], c.Name(gone)) {
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
		if notes, err := s.Notes(ctx, ""); err == nil && notes["a"] != "b" {
			t.Error("the notes are said not to be there")
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

// With three replicas a node that dies is not noticed by those who search and write,
// and when it is back it learns what it has missed.
func TestNodeLost(t *testing.T) {
	ctx, c := context.Background(), three(t)
	const n = 60
	writer := opened(t, c.URL()+"&shards=3&replicas=3", engine.Options{Dimension: dim})
	docs := enginetest.Documents(n)
	if err := writer.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	searching, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	var queries atomic.Int64
	v := [][]float32{docs[0].Vector, docs[1].Vector}
	for _, level := range []string{"ONE", "QUORUM"} {
		s := opened(t, c.URL()+"&consistency="+level, engine.Options{})
		all.Go(func() {
			for searching.Err() == nil {
				found, err := s.Pool(ctx, v[:1], 10, nil, v)
				if err != nil || found.Degraded != nil || len(found.Refs) < 10 {
					t.Errorf("a search at %s: %+v, %v", level, found, err)
					return
				}
				if _, err := s.Documents(ctx, found.Refs, engine.AllParts); err != nil {
					t.Errorf("reading at %s: %v", level, err)
				}
				if _, err := s.Get(ctx, "id-7", engine.AllParts); err != nil {
					t.Errorf("reading at %s: %v", level, err)
				}
				queries.Add(1)
			}
		})
	}
	some := func() {
		from := queries.Load()
		eventually(t, "twenty more searches", func() bool { return queries.Load() >= from+20 || t.Failed() })
	}
	some()
	if err := c.Kill(0); err != nil { // the one that all of them ask
		t.Fatal(err)
	}
	// What is replaced, new and deleted while the node is away.
	for i := range 10 {
		docs[20+i].Text = "replaced"
	}
	more := enginetest.Documents(n + 20)[n:]
	for i := range more {
		if err := writer.Upsert(ctx, []engine.Document{more[i], docs[20+i%10]}); err != nil {
			t.Fatal(err)
		}
	}
	deleted := []string{"id-50", "id-51", "id-52"}
	if k, err := writer.Delete(ctx, deleted); k != 3 || err != nil {
		t.Errorf("%d are deleted, %v", k, err)
	}
	some()
	if err := c.Restart(ctx, 0); err != nil {
		t.Fatal(err)
	}
	some()
	stop()
	all.Wait()
	docs = append(append(append([]engine.Document{}, docs[:50]...), docs[53:]...), more...)
	for node := range 3 {
		s := opened(t, c.URL(node)+"&consistency=ONE", engine.Options{})
		eventually(t, fmt.Sprintf("node %d has everything", node), func() bool {
			size, err := s.Size(ctx)
			return err == nil && size.Documents == len(docs) && size.Vectors == 3*len(docs) && hasAll(s, docs, deleted)
		})
	}
}

// hasAll reports whether a store has documents as they are, and others not.
func hasAll(s *Store, docs []engine.Document, deleted []string) bool {
	for _, d := range docs {
		got, err := s.Get(context.Background(), d.ID, engine.AllParts)
		if err != nil || got.Text != d.Text || len(got.Passages) != len(d.Passages) {
			return false
		}
	}
	for _, id := range deleted {
		if _, err := s.Get(context.Background(), id, engine.AllParts); !errors.Is(err, engine.ErrNotFound) {
			return false
		}
	}
	found, err := s.Pool(context.Background(), [][]float32{docs[0].Vector}, len(docs), nil, [][]float32{docs[0].Vector})
	return err == nil && len(found.Refs) == len(docs)
}

// Of three nodes that have everything one is stopped: one that is not asked, then
// the one that is. Searches go on, and nothing is missing.
func TestStoppedNode(t *testing.T) {
	ctx, c := context.Background(), three(t)
	s := opened(t, c.URL()+"&shards=3&replicas=3&consistency=ALL", engine.Options{Dimension: dim})
	docs := enginetest.Documents(30)
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	v := [][]float32{docs[0].Vector}
	for _, node := range []int{2, 0} {
		thaw := enginetest.Freeze(t, c.Process(node))
		for _, k := range []int{5, 30, 5, 30} { // by the indexes, and all of them
			found, err := s.Pool(ctx, v, k, nil, v)
			if err != nil || len(found.Refs) != k || found.Degraded != nil {
				t.Errorf("a search without node %d: %+v, %v", node, found, err)
			}
		}
		thaw()
	}
}
