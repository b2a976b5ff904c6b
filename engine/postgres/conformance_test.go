package postgres

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

const dim = enginetest.Dimension

// maker makes collections on the server of the tests.
func maker(t testing.TB, exact bool) enginetest.Maker {
	dsn := sharedDSN(t)
	names := map[string]string{}
	return enginetest.Maker{Open: func(t testing.TB, name string, o engine.Options) (enginetest.Store, error) {
		key := t.Name() + name
		if names[key] == "" {
			names[key] = collection(t, dsn)
		}
		o.Fill = o.Fill || exact
		return Open(context.Background(), names[key], o)
	}}
}

// By its indexes the store finds at least this part of the exact answer.
const overlap = 0.99

func TestConformance(t *testing.T) {
	m := maker(t, false)
	m.Overlap = overlap
	enginetest.Run(t, m)
}

func TestConformanceExact(t *testing.T) { enginetest.Run(t, maker(t, true)) }

func TestFailures(t *testing.T) {
	target := func(t testing.TB) string {
		c, _, err := configure(sharedDSN(t))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimPrefix(server(c), "postgres://"), "/")[0]
	}
	var mu sync.Mutex
	names := map[string]string{}
	enginetest.Failures(t, enginetest.Remote{
		Targets: func(t testing.TB) []string { return []string{target(t)} },
		Start: func(t testing.TB) ([]string, *os.Process) {
			s := postgrestest.New(t)
			return []string{s.Address()}, s.Process()
		},
		Open: func(t testing.TB, at []string, name string, o engine.Options) (enginetest.Store, error) {
			mu.Lock()
			key := t.Name() + name
			if names[key] == "" {
				names[key] = collection(t, sharedDSN(t))
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
		BatchBytes: 20_000,
	})
}

// opened opens a collection that is closed with the test.
func opened(t *testing.T, address string, o engine.Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
