package chroma

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/testserver/chromatest"
)

// started starts a server of a test's own.
func started(t testing.TB) *chromatest.Server {
	t.Helper()
	s, err := chromatest.Start(context.Background())
	if errors.Is(err, chromatest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var shared struct {
	sync.Mutex
	*chromatest.Server
}

// sharedURL is the server that most tests use: the one at NSFL_TEST_CHROMA, or one
// that is started once.
func sharedURL(t testing.TB) string {
	if url := os.Getenv("NSFL_TEST_CHROMA"); url != "" {
		return url
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.Server == nil {
		shared.Server = started(t)
	}
	return shared.URL()
}

func TestMain(m *testing.M) {
	remote.FirstPause /= 10
	code := m.Run()
	if shared.Server != nil {
		shared.Close()
	}
	os.Exit(code)
}

var collections atomic.Int64

// filler asks a server as something else would that fills it.
type filler struct {
	*client
	at string // HOST:PORT
}

func asker(t testing.TB, url string) filler {
	t.Helper()
	at, err := configure(url)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newClient(at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return filler{c, at.Host}
}

func (c filler) must(t testing.TB, method, to string, in any) (out json.RawMessage) {
	t.Helper()
	if err := c.Ask(context.Background(), method, to, in, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// collection makes one that no other test uses, with settings that Chroma takes, and is its
// address for a store and for the server. It is removed at the end of the test.
func collection(t testing.TB, url string, settings map[string]any) (address, records string) {
	t.Helper()
	c := asker(t, url)
	name := fmt.Sprintf("test-%d-%d", os.Getpid(), collections.Add(1))
	request := map[string]any{"name": name}
	maps.Copy(request, settings)
	var made struct{ ID string }
	if err := json.Unmarshal(c.must(t, http.MethodPost, c.collections, request), &made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Ask(context.Background(), http.MethodDelete, c.collections+"/"+name, nil, nil) // the server may be gone
	})
	return enginetest.At(url, name), c.collections + "/" + made.ID
}

// spaced are the settings of a collection whose index goes by a space.
func spaced(space string) map[string]any {
	return map[string]any{"configuration": map[string]any{"hnsw": map[string]any{"space": space, "ef_construction": 200, "ef_search": 1000, "max_neighbors": 32}}}
}

// fill stores documents as something else would: their titles are in the metadata.
func fill(t testing.TB, c filler, records string, docs []engine.Document) {
	t.Helper()
	for some := range slices.Chunk(docs, 2000) {
		var ids []string
		var embeddings [][]float32
		var documents []*string
		var metadatas []map[string]any
		for i, d := range some {
			ids, embeddings = append(ids, d.ID), append(embeddings, d.Vector)
			var metadata map[string]any
			if len(d.Metadata) > 0 {
				decoder := json.NewDecoder(bytes.NewReader(d.Metadata))
				decoder.UseNumber()
				if err := decoder.Decode(&metadata); err != nil {
					t.Fatal(err)
				}
			}
			if d.Title != "" || i == 0 { // so that the key is known
				if metadata == nil {
					metadata = map[string]any{}
				}
				metadata["title"] = d.Title
			}
			metadatas = append(metadatas, metadata)
			var text *string
			if d.Text != "" {
				text = &d.Text
			}
			documents = append(documents, text)
		}
		c.must(t, http.MethodPost, records+"/add", map[string]any{"ids": ids, "embeddings": embeddings, "documents": documents, "metadatas": metadatas})
	}
}

func opened(t testing.TB, url string, o engine.Options) *remote.Store {
	t.Helper()
	s, err := Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
