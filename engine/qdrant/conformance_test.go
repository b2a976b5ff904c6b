package qdrant

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// By its index the store finds at least this part of the exact answer.
const overlap = 0.99

// TestConformance runs the suite with ids of points, and with ids in payloads, which can be
// any text.
func TestConformance(t *testing.T) {
	url := sharedURL(t)
	open := func(address string) func(engine.Options) (enginetest.Store, error) {
		return func(o engine.Options) (enginetest.Store, error) { return Open(context.Background(), address, o) }
	}
	t.Run("points", func(t *testing.T) {
		enginetest.Run(t, enginetest.Maker{
			Overlap: overlap, Slow: true, ID: idAt,
			Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
				f := collection(t, url, vectors(cosine, docs), small)
				f.index(t, "text", "text")
				f.index(t, "title", "text")
				f.index(t, "n", "integer")
				f.index(t, "name", "keyword")
				f.index(t, "even", "bool")
				f.fill(t, docs, ids)
				return open(f.address)
			},
		})
	})
	t.Run("payloads", func(t *testing.T) {
		enginetest.Run(t, enginetest.Maker{
			Overlap: overlap, Slow: true, Mixed: true, Unsearched: true,
			Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
				f := collection(t, url, object{"dense": vectors(dot, docs), "other": vectors(cosine, nil)}, small)
				f.index(t, "key", "keyword")
				named := make([]engine.Document, len(docs))
				copy(named, docs)
				n := 0
				f.fillNamed(t, named, "dense", func(_ int, d *engine.Document, payload object) any {
					payload["key"] = d.ID
					n++
					return n
				})
				return open(f.address + "&id=key&vector=dense")
			},
		})
	})
}

func TestFailures(t *testing.T) {
	server := "" // that is filled, past what stands before it
	enginetest.Failures(t, enginetest.Remote{
		Targets: func(t testing.TB) []string {
			server = sharedURL(t)
			return []string{hostOf(t, server)}
		},
		Start: func(t testing.TB) ([]string, *os.Process) {
			s := started(t)
			t.Cleanup(s.Close)
			server = urlOf(s)
			return []string{s.Address()}, s.Process()
		},
		Attach: func(t testing.TB, where []string, docs []engine.Document) (enginetest.Store, error) {
			f := collection(t, server, vectors(cosine, docs), nil)
			n := 0
			f.fill(t, docs, func(_ int, d *engine.Document, payload object) any {
				payload["key"] = d.ID
				n++
				return n
			})
			return Open(context.Background(), strings.Replace(f.address, f.host, where[0], 1)+"&id=key", engine.Options{})
		},
		Hasten: func(s enginetest.Store, limit time.Duration) func() {
			o := &s.(*remote.Store).Calls.Options
			usual := *o
			o.Timeout = limit
			return func() { *o = usual }
		},
	})
}

func hostOf(t testing.TB, url string) string {
	t.Helper()
	at, err := scheme.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	return at.Host
}
