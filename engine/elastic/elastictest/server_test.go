package elastictest

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// A server that is killed comes back with its data, and leaves nothing when it is closed.
func TestServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server twice")
	}
	ctx := context.Background()
	s, err := Start(ctx, Options{})
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Kill()
	if testserver.Answers(ctx, "http://"+s.Address()+"/_cluster/health") {
		t.Error("a killed server answers")
	}
	if err := s.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	dir := s.dir
	s.Close()
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
