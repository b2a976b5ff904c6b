package enginetest

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// Embedded makes collections of the package index.
func Embedded() Maker {
	dirs := map[string]string{}
	return Maker{Open: func(t *testing.T, s Settings) (Store, error) {
		ctx, key := context.Background(), t.Name()+"/"+s.Name
		o := index.Options{Dimension: s.Dimension, Encoder: s.Encoder}
		var c *index.Collection
		var err error
		if dir, ok := dirs[key]; ok {
			c, err = index.Open(ctx, dir, o)
		} else {
			dirs[key] = t.TempDir()
			c, err = index.Create(ctx, dirs[key], o)
		}
		return engine.Embedded{Collection: c}, err
	}}
}
