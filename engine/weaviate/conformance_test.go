package weaviate

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
)

// maker makes collections on a cluster.
func maker(c *weaviatetest.Cluster, o Options) enginetest.Maker {
	names := map[string]string{}
	return enginetest.Maker{
		// By its indexes the store finds at least this part of the exact answer.
		Overlap: 0.99,
		Open: func(t *testing.T, s enginetest.Settings) (enginetest.Store, error) {
			key := t.Name() + s.Name
			if names[key] == "" {
				names[key] = collection(t, c)
			}
			o := o
			o.Collection, o.Dimension, o.Encoder = names[key], s.Dimension, s.Encoder
			return Open(context.Background(), c.URL(), o)
		},
	}
}

func TestConformance(t *testing.T) { enginetest.Run(t, maker(sharedCluster(t), Options{})) }

// What is read right after it was written is there only where writing has waited
// for all replicas.
func TestConformanceCluster(t *testing.T) {
	c := own(t, weaviatetest.Options{Nodes: 3})
	enginetest.Run(t, maker(c, Options{Shards: 3, Replicas: 3, Consistency: "ALL"}))
}
