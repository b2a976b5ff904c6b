package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

// TestAddresses checks that errors never repeat the password of an address.
func TestAddresses(t *testing.T) {
	const secret = "hunter2"
	for _, dsn := range []string{
		"postgres://user:hunter2@host:port/db",
		"postgres://user:hunter2@host:5432:5433/db",
		"postgres://user:%hunter2@host/db",
		"postgres://user:hunter2%zz@host/db",
		"postgres://user:hunter2@ho st/db",
		"postgres://user:pass/hunter2@host/db",
		"postgres://user:hunter2@host/db?sslmode=maybe",
		"postgres://user:hunter2@host/db?pool_max_conns=many",
		"postgres://user:hunter2@host/db?connect_timeout=soon",
		"postgres://user@host/db?password=hunter2&sslmode=maybe",
		"host=host user=user password=hunter2 sslmode=maybe",
		"host=host user=user password='hunter2",
		"host=host password=hunter2 port=x",
		"hunter2",
		"mysql://user:hunter2@host/db",
		"postgres://user:hunter2@host/db?collection=Films",
		"postgres://user:hunter2@host/db?collection=pg_films",
		"postgres://user:hunter2@host/db?collection=films%22%3B--",
	} {
		_, err := Open(context.Background(), dsn, engine.Options{Dimension: -1})
		if err == nil {
			t.Errorf("%s was accepted", dsn)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(fmt.Sprintf("%v %+v %#v", e, e, e), secret) {
				t.Errorf("%s: the error shows the password: %#v", dsn, e)
			}
		}
	}
	c, name, err := configure("postgres://user:hunter2@[::1]:5433/db?collection=films")
	if err != nil {
		t.Fatal(err)
	}
	if got := server(c) + "?collection=" + name; got != "postgres://[::1]:5433/db?collection=films" {
		t.Error(got)
	}
}

func TestOptions(t *testing.T) {
	refused := func(address string, o engine.Options) {
		t.Helper()
		var input *engine.InputError
		if _, err := Open(context.Background(), address, o); !errors.As(err, &input) {
			t.Errorf("%s, %+v: %v", address, o, err)
		}
	}
	for _, name := range []string{"Films", "1films", "films.x", `a"b`, "a b", "pg_a", "public", "information_schema", strings.Repeat("a", 64), "é"} {
		refused("postgres://127.0.0.1:1/db?collection="+url.QueryEscape(name), engine.Options{})
	}
	for _, o := range []engine.Options{{Dimension: -1}, {Dimension: maxDimension + 1}, {Encoder: "a\x00b"}, {Encoder: "\xff"}, {Timeout: -1}} {
		refused("postgres://127.0.0.1:1/db", o)
	}
}

// Only an existing collection of this version is opened.
func TestOpen(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	address := collection(t, dsn)
	for _, o := range []engine.Options{{}, {ReadOnly: true, Dimension: dim}} {
		if _, err := Open(ctx, address, o); !errors.Is(err, engine.ErrNotCollection) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	s := opened(t, address, engine.Options{Dimension: dim, Encoder: "e"})
	if err := s.Upsert(ctx, enginetest.Documents(3)); err != nil {
		t.Fatal(err)
	}
	s.Close()

	var mismatch *engine.MismatchError
	if _, err := Open(ctx, address, engine.Options{Encoder: "f"}); !errors.As(err, &mismatch) || mismatch.Stored != `"e"` || mismatch.Given != `"f"` {
		t.Errorf("another encoder: %v", err)
	}
	reader := opened(t, address, engine.Options{ReadOnly: true})
	if d, err := reader.Get(ctx, "id-2", engine.NoParts); err != nil || d.ID != "id-2" {
		t.Errorf("reading: %v", err)
	}
	if err := reader.Upsert(ctx, enginetest.Documents(1)); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("storing: %v", err)
	}
	if _, err := reader.Delete(ctx, []string{"id-0"}); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("deleting: %v", err)
	}
	reader.Close()

	run(t, dsn, "UPDATE "+schema(address)+".settings SET version = 99")
	const supported = format
	var format *engine.FormatError
	if _, err := Open(ctx, address, engine.Options{}); !errors.As(err, &format) || format.Found != 99 || format.Supported != supported {
		t.Errorf("a newer version: %v", err)
	}
	other := collection(t, dsn)
	run(t, dsn, "CREATE SCHEMA "+schema(other))
	run(t, dsn, "CREATE TABLE "+schema(other)+".films (id int)")
	if _, err := Open(ctx, other, engine.Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "films") {
		t.Errorf("a schema with other tables: %v", err)
	}
}

// A collection from before the first release is refused, and the error says what to do.
func TestOlderVersion(t *testing.T) {
	dsn := sharedDSN(t)
	address := collection(t, dsn)
	opened(t, address, engine.Options{Dimension: dim}).Close()
	run(t, dsn, fmt.Sprintf("UPDATE %s.settings SET version = %d", schema(address), format-1))
	for _, o := range []engine.Options{{}, {ReadOnly: true}} {
		if _, err := Open(context.Background(), address, o); err == nil || !strings.Contains(err.Error(), "nsfl copy") {
			t.Errorf("%+v: got %v, want an error that names nsfl copy", o, err)
		}
	}
}

// TestGarbage checks that answers from other or failed servers are errors, not crashes.
func TestGarbage(t *testing.T) {
	for name, answer := range map[string]string{
		"nothing":       "",
		"HTTP":          "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nBad Request",
		"zeros":         strings.Repeat("\x00", 1000),
		"a huge length": "R\x7f\xff\xff\xff" + strings.Repeat("x", 100),
		"no length":     "R\x00\x00\x00\x00",
		"half":          "R\x00\x00\x00\x08\x00\x00",
		"an odd login":  "R\x00\x00\x00\x08\x00\x00\x00\x63",
		"ready, odd":    "R\x00\x00\x00\x08\x00\x00\x00\x00Z\x00\x00\x00\x05ID\x00\x00\x00\x03",
	} {
		dsn := "postgres://user:hunter2@" + testserver.Answering(t, answer) + "/db?sslmode=disable&connect_timeout=2"
		_, err := Open(context.Background(), dsn, engine.Options{Dimension: dim, Timeout: 5 * time.Second})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
