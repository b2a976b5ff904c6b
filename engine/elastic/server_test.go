package elastic

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

const dim = enginetest.Dimension

var shared struct {
	sync.Mutex
	*testServer
}

// sharedURL is the server that most tests use: the one at NSFL_TEST_ELASTIC, or one that is
// started once.
func sharedURL(t testing.TB) string {
	if url := os.Getenv("NSFL_TEST_ELASTIC"); url != "" {
		return url
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.testServer == nil {
		shared.testServer = started(t, false)
	}
	return shared.URL()
}

func TestMain(m *testing.M) {
	remote.FirstPause /= 10
	code := m.Run()
	if shared.testServer != nil {
		shared.Close()
	}
	os.Exit(code)
}

var collections atomic.Int64

// collection is the address of one that no other test uses; it is removed at the end of the
// test.
func collection(t testing.TB, url string) string {
	address := enginetest.At(url, fmt.Sprintf("nsfl-test-%d-%d", os.Getpid(), collections.Add(1)))
	t.Cleanup(func() {
		c := clientOf(t, address)
		defer c.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := c.ask(ctx, http.MethodDelete, "", nil, new(struct{})); err != nil && !remote.Refused(err, http.StatusNotFound) {
			t.Errorf("removing %s: %v", address, err)
		}
	})
	return address
}

func clientOf(t testing.TB, address string) *client {
	a, err := configure(address)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newClient(a)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func opened(t testing.TB, address string, o engine.Options) engine.Collection {
	t.Helper()
	s, err := Open(context.Background(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// storeOf returns the store behind an open collection.
func storeOf(c engine.Collection) *remote.Store {
	if s, ok := c.(*Store); ok {
		return s.Store
	}
	return c.(*remote.Store)
}
