package elastictest

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// A server that is closed is gone, and leaves nothing.
func TestServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server of its own")
	}
	ctx := context.Background()
	s, err := Start(ctx, Options{})
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := s.dir
	s.Close()
	if testserver.Answers(ctx, "http://"+s.Address()+"/_cluster/health") {
		t.Error("a closed server answers")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
}

func TestMissing(t *testing.T) {
	t.Setenv("NSFL_ELASTICSEARCH", t.TempDir())
	if _, err := Start(context.Background(), Options{}); !errors.Is(err, ErrMissing) {
		t.Errorf("%v", err)
	}
}
