package milvus

import (
	"context"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// maker makes collections on the server of the tests.
func maker(t testing.TB) enginetest.Maker {
	var mu sync.Mutex
	names := map[string]string{}
	return enginetest.Maker{Overlap: overlap, Slow: true, Open: func(t testing.TB, name string, o engine.Options) (enginetest.Store, error) {
		mu.Lock()
		defer mu.Unlock()
		key := t.Name() + name
		if names[key] == "" {
			names[key] = enginetest.At(sharedURL(t), collection(t, clientOf(t, sharedURL(t))))
		}
		return Open(context.Background(), names[key], o)
	}}
}

func TestConformance(t *testing.T) { enginetest.Run(t, maker(t)) }
