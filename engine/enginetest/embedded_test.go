package enginetest

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

func TestEmbedded(t *testing.T) {
	dirs := map[string]string{}
	Run(t, Maker{Open: func(t testing.TB, name string, o engine.Options) (Store, error) {
		key := t.Name() + "/" + name
		if dirs[key] == "" {
			dirs[key] = t.TempDir()
		}
		return index.OpenOrCreate(context.Background(), dirs[key], index.Options{Dimension: o.Dimension, Encoder: o.Encoder})
	}})
}
