package postgres

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// maker makes collections on the server of the tests.
func maker(t testing.TB, exact bool) enginetest.Maker {
	dsn := sharedDSN(t)
	names := map[string]string{}
	open := func(exact bool) func(*testing.T, enginetest.Settings) (enginetest.Store, error) {
		return func(t *testing.T, s enginetest.Settings) (enginetest.Store, error) {
			key := t.Name() + s.Name
			if names[key] == "" {
				names[key] = collection(t, dsn)
			}
			return Open(context.Background(), dsn, Options{
				Collection: names[key], Dimension: s.Dimension, Encoder: s.Encoder, Exact: exact,
			})
		}
	}
	return enginetest.Maker{Open: open(exact), Fill: open(true)}
}

// By its indexes the store finds at least this part of the exact answer.
const overlap = 0.99

func TestConformance(t *testing.T) {
	m := maker(t, false)
	m.Overlap = overlap
	enginetest.Run(t, m)
}

func TestConformanceExact(t *testing.T) { enginetest.Run(t, maker(t, true)) }
