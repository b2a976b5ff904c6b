package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

var shared struct {
	sync.Mutex
	*postgrestest.Server
}

// sharedDSN is the server that most tests use: NSFL_TEST_PGVECTOR, or one
// that is started once.
func sharedDSN(t testing.TB) string {
	if dsn := os.Getenv("NSFL_TEST_PGVECTOR"); dsn != "" {
		return dsn
	}
	dir := postgrestest.Find(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.Server == nil {
		s, err := postgrestest.Start(dir)
		if err != nil {
			t.Fatal(err)
		}
		shared.Server = s
	}
	return shared.DSN()
}

func TestMain(m *testing.M) {
	remote.FirstPause /= 10
	code := m.Run()
	if shared.Server != nil {
		shared.Close()
	}
	os.Exit(code)
}

var collections atomic.Int64

// collection is the address of one that no other test uses; it is dropped at the end
// of the test.
func collection(t testing.TB, dsn string) string {
	name := fmt.Sprintf("nsfl_test_%d_%d", os.Getpid(), collections.Add(1))
	t.Cleanup(func() {
		run(t, dsn, "DROP SCHEMA IF EXISTS "+pgx.Identifier{name}.Sanitize()+" CASCADE")
	})
	return enginetest.At(dsn, name)
}

// schema is the name of the collection at an address.
func schema(address string) string { return address[strings.LastIndexByte(address, '=')+1:] }

// run runs one statement on a connection of its own.
func run(t testing.TB, dsn, text string, args ...any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, _, err := configure(dsn)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(ctx, text, args...)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		t.Fatal(err)
	}
}
