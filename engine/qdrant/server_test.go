package qdrant

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

const dim = enginetest.Dimension

//go:embed testdata/serve.py
var script string

// started starts a server with Qdrant's engine. The test is skipped if it is not installed.
func started(t testing.TB) *testserver.Server {
	t.Helper()
	dir, err := testserver.Installed("NSFL_QDRANT", "qdrant")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "qdrant_edge")); err != nil {
		t.Skipf("Qdrant's engine is not installed: make setup installs it (%s has no qdrant_edge)", dir)
	}
	s := &testserver.Server{
		Name: "Qdrant's engine",
		Command: func(p *testserver.Server) *exec.Cmd {
			cmd := exec.Command("python3", "-c", script, p.Dir, p.Port)
			cmd.Env = append(os.Environ(), "PYTHONPATH="+dir)
			return cmd
		},
		Ready: func(ctx context.Context, p *testserver.Server) bool {
			return testserver.Answers(ctx, "http://"+p.Address()+"/")
		},
	}
	if err := s.Launch(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

var shared struct {
	sync.Mutex
	*testserver.Server
}

// sharedURL returns the server that most tests use: the one at NSFL_TEST_QDRANT, or one that
// is started once.
func sharedURL(t testing.TB) string {
	if url := os.Getenv("NSFL_TEST_QDRANT"); url != "" {
		return url
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.Server == nil {
		shared.Server = started(t)
	}
	return urlOf(shared.Server)
}

func urlOf(s *testserver.Server) string { return "qdrant://" + s.Address() + "/" }

func TestMain(m *testing.M) {
	remote.FirstPause /= 10
	code := m.Run()
	if shared.Server != nil {
		shared.Close()
	}
	os.Exit(code)
}

var collections atomic.Int64

// filler fills a collection as another program would.
type filler struct {
	*driver
	address string // for a store
	host    string
}

// object is a JSON object.
type object = map[string]any

// small makes the engine build and use HNSW for a few hundred points already.
var small = object{"hnsw_config": object{"full_scan_threshold": 1}, "optimizers_config": object{"indexing_threshold": 1}}

// collection creates a collection with vectors and settings, which is removed with t.
func collection(t testing.TB, url string, vectors any, settings object) *filler {
	t.Helper()
	at, err := scheme.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("test-%d-%d", os.Getpid(), collections.Add(1))
	f := &filler{
		&driver{web: remote.NewWeb(at.URL()+"/collections", remote.Hide("")), path: "/" + name},
		enginetest.At(url, name), at.Host,
	}
	request := object{"vectors": vectors}
	maps.Copy(request, settings)
	f.must(t, http.MethodPut, "", request)
	t.Cleanup(func() {
		_ = f.ask(context.Background(), http.MethodDelete, f.path, nil, new(any)) // the server may be gone
		f.Close()
	})
	return f
}

func (f *filler) must(t testing.TB, method, path string, in any) {
	t.Helper()
	if err := f.ask(context.Background(), method, f.path+path, in, new(any)); err != nil {
		t.Fatal(err)
	}
}

func vectors(distance string, docs []engine.Document) object {
	size := dim
	if len(docs) > 0 {
		size = len(docs[0].Vector)
	}
	return object{"size": size, "distance": distance}
}

// index creates an index over a field of payloads.
func (f *filler) index(t testing.TB, field, kind string) {
	t.Helper()
	f.must(t, http.MethodPut, "/index?wait=true", object{"field_name": field, "field_schema": kind})
}

// fill stores documents with their titles, texts and metadata in payloads.
func (f *filler) fill(t testing.TB, docs []engine.Document, id func(i int, d *engine.Document, payload object) any) {
	t.Helper()
	f.fillNamed(t, docs, "", id)
}

// fillNamed is fill for a named vector.
func (f *filler) fillNamed(t testing.TB, docs []engine.Document, vector string, id func(i int, d *engine.Document, payload object) any) {
	t.Helper()
	for some := range slices.Chunk(docs, 500) {
		var points []object
		for i := range some {
			d := &some[i]
			payload := object{}
			if len(d.Metadata) > 0 {
				decoder := json.NewDecoder(bytes.NewReader(d.Metadata))
				decoder.UseNumber()
				if err := decoder.Decode(&payload); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range map[string]string{"title": d.Title, "text": d.Text} {
				if text != "" || i%4 == 0 { // so that a sample has the field
					payload[name] = text
				}
			}
			p := object{"id": id(i, d, payload), "vector": d.Vector, "payload": payload}
			if vector != "" {
				p["vector"] = object{vector: d.Vector}
			}
			points = append(points, p)
		}
		f.must(t, http.MethodPut, "/points?wait=true", object{"points": points})
	}
}

// ids uses the ids of documents as those of points.
func ids(_ int, d *engine.Document, _ object) any { return idOf(d.ID) }

// idAt returns the id of the i-th document: every other is a number, the others are UUIDs.
func idAt(i int) string {
	if i%2 == 0 {
		return fmt.Sprint(i)
	}
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", i*2654435761%(1<<32), i)
}

func opened(t testing.TB, address string, o engine.Options) *remote.Store {
	t.Helper()
	s, err := Open(context.Background(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
