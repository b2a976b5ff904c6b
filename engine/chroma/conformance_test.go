package chroma

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/chroma/chromatest"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

const dim = enginetest.Dimension

// By its indexes the store finds at least this part of the exact answer.
const overlap = 0.99

// maker makes collections on the server of the tests.
func maker(t testing.TB) enginetest.Maker {
	at := sharedURL(t)
	names := map[string]string{}
	return enginetest.Maker{Overlap: overlap, Unsearched: true, Open: func(t testing.TB, name string, o engine.Options) (enginetest.Store, error) {
		key := t.Name() + name
		if names[key] == "" {
			names[key] = collection(t, at)
		}
		return Open(context.Background(), names[key], o)
	}}
}

func TestConformance(t *testing.T) { enginetest.Run(t, maker(t)) }

func BenchmarkPool(b *testing.B) { enginetest.Benchmark(b, maker(b)) }

func TestFailures(t *testing.T) {
	target := func(t testing.TB) string {
		at, err := configure(sharedURL(t))
		if err != nil {
			t.Fatal(err)
		}
		return at.host
	}
	var mu sync.Mutex
	names := map[string]string{}
	enginetest.Failures(t, enginetest.Remote{
		Targets: func(t testing.TB) []string { return []string{target(t)} },
		Start: func(t testing.TB) ([]string, *os.Process) {
			s := started(t, chromatest.Options{})
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
			o := &s.(*Store).calls.Options
			usual := *o
			o.Timeout, o.WriteTimeout = limit, limit
			return func() { *o = usual }
		},
		BatchBytes: 60_000,
	})
}
