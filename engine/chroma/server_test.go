package chroma

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/chroma/chromatest"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// started starts a server of a test's own.
func started(t testing.TB, o chromatest.Options) *chromatest.Server {
	t.Helper()
	s, err := chromatest.Start(context.Background(), o)
	if errors.Is(err, chromatest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var shared struct {
	sync.Mutex
	*chromatest.Server
}

// sharedURL is the server that most tests use: the one at NSFL_TEST_CHROMA, or one
// that is started once.
func sharedURL(t testing.TB) string {
	if url := os.Getenv("NSFL_TEST_CHROMA"); url != "" {
		return url
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.Server == nil {
		shared.Server = started(t, chromatest.Options{})
	}
	return shared.URL()
}

func TestMain(m *testing.M) {
	pooling.FirstPause /= 10
	code := m.Run()
	if shared.Server != nil {
		shared.Close()
	}
	os.Exit(code)
}

var collections atomic.Int64

// collection is the address of one that no other test uses; it is removed at the end
// of the test.
func collection(t testing.TB, url string) string {
	name := fmt.Sprintf("nsfl-test-%d-%d", os.Getpid(), collections.Add(1))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		at, err := configure(url)
		if err != nil {
			t.Fatal(err)
		}
		c := newClient(at, credentials{})
		defer c.http.CloseIdleConnections()
		for _, suffix := range []string{documentsSuffix, passagesSuffix, notesSuffix} {
			_, err := c.ask(ctx, http.MethodDelete, c.collections+"/"+name+suffix, nil)
			if e := (*webclient.StatusError)(nil); err != nil && !(errors.As(err, &e) && e.Code == http.StatusNotFound) {
				t.Errorf("removing %s: %v", name+suffix, err)
			}
		}
	})
	return enginetest.At(url, name)
}

func opened(t testing.TB, url string, o engine.Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
