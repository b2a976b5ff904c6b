package weaviate

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

const dim = enginetest.Dimension

var isolated error

func TestMain(m *testing.M) {
	isolated = isolate()
	remote.FirstPause, suspicion, patience = remote.FirstPause/10, suspicion/10, patience/3
	code := m.Run()
	if shared.cluster != nil {
		shared.cluster.Close()
		os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

var shared struct {
	sync.Mutex
	dir     string
	cluster *testCluster
}

// start starts servers, which the caller closes.
func start(t testing.TB, o clusterOptions) *testCluster {
	t.Helper()
	if isolated != nil {
		t.Skip(isolated)
	}
	if _, err := serverBinary(); err != nil {
		t.Skip(err)
	}
	c, err := startCluster(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// own starts servers that one test has for itself.
func own(t testing.TB, o clusterOptions) *testCluster {
	t.Helper()
	if testing.Short() {
		t.Skip("starts servers of its own")
	}
	o.Dir = t.TempDir()
	c := start(t, o)
	t.Cleanup(func() { c.Close() })
	return c
}

// sharedCluster is one node that most tests use.
func sharedCluster(t testing.TB) *testCluster {
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster == nil {
		dir, err := os.MkdirTemp("", "weaviate")
		if err != nil {
			t.Fatal(err)
		}
		shared.dir, shared.cluster = dir, start(t, clusterOptions{Dir: dir})
	}
	return shared.cluster
}

var collections atomic.Int64

// collection is a name that no other test uses; what it names is dropped at the end
// of the test, or goes with the servers that it has for itself.
func collection(t testing.TB, c *testCluster) string {
	name := fmt.Sprint("Test", collections.Add(1))
	if c != shared.cluster {
		return name
	}
	t.Cleanup(func() {
		r, err := http.NewRequest(http.MethodDelete, "http://"+c.HTTP(0)+"/v1/schema/"+name, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Errorf("dropping a collection: %v", err)
			return
		}
		response.Body.Close()
	})
	return name
}
