package chroma

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// maker makes collections on the server of the tests.
func maker(t testing.TB, exact bool) enginetest.Maker {
	url := sharedURL(t)
	names := map[string]string{}
	return enginetest.Maker{Open: func(t *testing.T, s enginetest.Settings) (enginetest.Store, error) {
		key := t.Name() + s.Name
		if names[key] == "" {
			names[key] = collection(t, url)
		}
		return Open(context.Background(), url, Options{
			Collection: names[key], Dimension: s.Dimension, Encoder: s.Encoder, Exact: exact,
		})
	}}
}

// By its indexes the store finds at least this part of the exact answer.
const overlap = 0.99

func TestConformance(t *testing.T) {
	m := maker(t, false)
	m.Overlap = overlap
	enginetest.Run(t, m)
}
