package weaviate

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
)

const dim = enginetest.Dimension

// maker makes collections on a cluster, with more settings in the address.
func maker(c *weaviatetest.Cluster, settings string) enginetest.Maker {
	names := map[string]string{}
	return enginetest.Maker{
		// By its indexes the store finds at least this part of the exact answer.
		Overlap: 0.99,
		Open: func(t testing.TB, name string, o engine.Options) (enginetest.Store, error) {
			key := t.Name() + name
			if names[key] == "" {
				names[key] = collection(t, c)
			}
			return Open(context.Background(), c.URL()+"&collection="+names[key]+settings, o)
		},
	}
}

func TestConformance(t *testing.T) { enginetest.Run(t, maker(sharedCluster(t), "")) }

// What is read right after it was written is there only where writing has waited
// for all replicas.
func TestConformanceCluster(t *testing.T) {
	enginetest.Run(t, maker(own(t, weaviatetest.Options{Nodes: 3}), "&shards=3&replicas=3&consistency=ALL"))
}

func BenchmarkPool(b *testing.B) { enginetest.Benchmark(b, maker(sharedCluster(b), "")) }

func TestFailures(t *testing.T) {
	var mu sync.Mutex
	names := map[string]string{}
	enginetest.Failures(t, enginetest.Remote{
		Targets: func(t testing.TB) []string { return []string{sharedCluster(t).GRPC(0), sharedCluster(t).HTTP(0)} },
		Start: func(t testing.TB) ([]string, *os.Process) {
			c := own(t, weaviatetest.Options{})
			return []string{c.GRPC(0), c.HTTP(0)}, c.Process(0)
		},
		Open: func(t testing.TB, at []string, name string, o engine.Options) (enginetest.Store, error) {
			mu.Lock()
			key := t.Name() + name
			if names[key] == "" {
				names[key] = collection(t, sharedCluster(t))
			}
			address := fmt.Sprintf("weaviate://%s/?grpc=%s&collection=%s", at[1], at[0], names[key])
			mu.Unlock()
			return Open(context.Background(), address, o)
		},
		Hasten: func(s enginetest.Store, limit time.Duration) func() {
			o := &s.(*Store).calls.Options
			usual := *o
			o.Timeout, o.WriteTimeout = limit, limit
			return func() { *o = usual }
		},
		BatchBytes: 20_000,
	})
}
