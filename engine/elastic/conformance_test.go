package elastic

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// By its indexes a store finds at least this part of the exact answer.
const overlap = 0.99

// maker makes collections on the server of the tests.
func maker(t testing.TB) enginetest.Maker {
	at := sharedURL(t)
	names := map[string]string{}
	return enginetest.Maker{Overlap: overlap, Open: func(t testing.TB, name string, o engine.Options) (enginetest.Store, error) {
		key := t.Name() + name
		if names[key] == "" {
			names[key] = collection(t, at)
		}
		return Open(context.Background(), names[key], o)
	}}
}

func TestConformance(t *testing.T) { enginetest.Run(t, maker(t)) }

// fill stores documents as another program would: metadata fields next to the texts, mostly
// with the types that the server infers.
func fill(t testing.TB, address string, properties clause, docs []engine.Document) {
	t.Helper()
	c := clientOf(t, address)
	defer c.Close()
	mapping := clause{"settings": clause{"number_of_shards": 2, "number_of_replicas": 0}, "mappings": clause{"properties": properties}}
	ask := func(method, path string, body any) {
		t.Helper()
		var answer struct{ Errors bool }
		if err := c.ask(context.Background(), method, path, body, &answer); err != nil || answer.Errors {
			t.Fatalf("got error %v and %+v, want no errors", err, answer)
		}
	}
	ask(http.MethodPut, "", mapping)
	var batch []byte
	for i := range docs {
		d := &docs[i]
		source := clause{"embedding": d.Vector}
		if len(d.Metadata) > 0 {
			decoder := json.NewDecoder(strings.NewReader(string(d.Metadata)))
			decoder.UseNumber()
			var fields clause
			if err := decoder.Decode(&fields); err != nil {
				t.Fatal(err)
			}
			maps.Copy(source, fields)
		}
		for name, text := range map[string]string{"title": d.Title, "body": d.Text} {
			if text != "" {
				source[name] = text
			}
		}
		for _, line := range []any{clause{"index": clause{"_id": d.ID}}, source} {
			b, err := remote.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			batch = append(append(batch, b...), '\n')
		}
		if len(batch) > 4<<20 {
			ask(http.MethodPost, "/_bulk", batch)
			batch = nil
		}
	}
	if len(batch) > 0 {
		ask(http.MethodPost, "/_bulk", batch)
	}
	ask(http.MethodPost, "/_refresh", nil)
}

// vectors is a mapping with texts and a vector, which is as similar as is said.
func vectors(dim int, similarity string) clause {
	return clause{
		"title": clause{"type": "text"}, "body": clause{"type": "text"},
		"embedding": clause{"type": "dense_vector", "dims": dim, "similarity": similarity},
	}
}

func foreign(t *testing.T, properties func(dim int) clause) enginetest.Maker {
	at := sharedURL(t)
	return enginetest.Maker{Overlap: overlap, Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
		address := collection(t, at)
		fill(t, address, properties(len(docs[0].Vector)), docs)
		return func(o engine.Options) (enginetest.Store, error) { return Open(context.Background(), address, o) }
	}}
}

// TestAttached uses an index with inferred types for metadata.
func TestAttached(t *testing.T) {
	enginetest.Run(t, foreign(t, func(dim int) clause { return vectors(dim, "cosine") }))
}

func TestFailures(t *testing.T) {
	target := func(t testing.TB) string {
		at, err := configure(sharedURL(t))
		if err != nil {
			t.Fatal(err)
		}
		return at.Host
	}
	var mu sync.Mutex
	names := map[string]string{}
	suite := enginetest.Remote{
		Targets: func(t testing.TB) []string { return []string{target(t)} },
		Start: func(t testing.TB) ([]string, *os.Process) {
			s := started(t, false)
			t.Cleanup(s.Close)
			return []string{s.Address()}, s.Process()
		},
		Open: func(t testing.TB, at []string, name string, o engine.Options) (enginetest.Store, error) {
			mu.Lock()
			key := t.Name() + name
			if names[key] == "" {
				names[key] = collection(t, sharedURL(t))
			}
			address := strings.Replace(names[key], target(t), at[0], 1)
			mu.Unlock()
			return Open(context.Background(), address, o)
		},
		Hasten: func(s enginetest.Store, limit time.Duration) func() {
			o := &storeOf(s).Calls.Options
			usual := *o
			o.Timeout, o.WriteTimeout = limit, limit
			return func() { *o = usual }
		},
		BatchBytes: 30_000,
	}
	t.Run("own", func(t *testing.T) { enginetest.Failures(t, suite) })
	suite.Attach = func(t testing.TB, at []string, docs []engine.Document) (enginetest.Store, error) {
		address := collection(t, sharedURL(t))
		if at[0] != target(t) { // a proxy, or a server of the test's own
			address = strings.Replace(address, target(t), at[0], 1)
		}
		fill(t, address, vectors(dim, "cosine"), docs)
		return Open(context.Background(), address, engine.Options{})
	}
	t.Run("attached", func(t *testing.T) { enginetest.Failures(t, suite) })
}
