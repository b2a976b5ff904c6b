package chroma

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

const dim = enginetest.Dimension

// By its index the store finds at least this part of the exact answer.
const overlap = 0.99

func TestConformance(t *testing.T) {
	at := sharedURL(t)
	enginetest.Run(t, enginetest.Maker{
		Overlap: overlap, Flat: true, Mixed: true,
		Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
			address, records := collection(t, at, spaced(cosine))
			fill(t, asker(t, at), records, docs)
			return func(o engine.Options) (enginetest.Store, error) { return Open(context.Background(), address, o) }
		},
	})
}

func TestFailures(t *testing.T) {
	server := "" // that is filled, past what stands before it
	enginetest.Failures(t, enginetest.Remote{
		Targets: func(t testing.TB) []string {
			server = sharedURL(t)
			return []string{asker(t, server).at}
		},
		Start: func(t testing.TB) ([]string, *os.Process) {
			s := started(t)
			t.Cleanup(s.Close)
			server = s.URL()
			return []string{s.Address()}, s.Process()
		},
		Attach: func(t testing.TB, where []string, docs []engine.Document) (enginetest.Store, error) {
			address, records := collection(t, server, spaced(cosine))
			a := asker(t, server)
			fill(t, a, records, docs)
			return Open(context.Background(), strings.Replace(address, a.at, where[0], 1), engine.Options{})
		},
		Hasten: func(s enginetest.Store, limit time.Duration) func() {
			o := &s.(*remote.Store).Calls.Options
			usual := *o
			o.Timeout = limit
			return func() { *o = usual }
		},
	})
}
