package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/postgres/postgrestest"
)

const dim = 8

func documents(n int) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		v := make([]float32, dim)
		for j := range v {
			v[j] = float32((i*(j+3)+j*j)%17) + 0.5
		}
		docs[i] = engine.Document{
			ID: fmt.Sprint("id-", i), Title: "title", Text: strings.Repeat("text ", 20), Vector: v,
			Metadata: fmt.Appendf(nil, `{"n": %d}`, i),
			Passages: []engine.Passage{{Text: "a", Vector: v}, {Text: "b", Vector: v}},
		}
	}
	return docs
}

// address is the host and port of a DSN.
func address(t *testing.T, dsn string) string {
	c, err := configure(dsn, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort(c.ConnConfig.Host, fmt.Sprint(c.ConnConfig.Port))
}

// proxied is a store behind a proxy, with some documents in it.
func proxied(t *testing.T, o Options) (*Store, *enginetest.Proxy) {
	dsn := sharedDSN(t)
	target := address(t, dsn)
	p := enginetest.NewProxy(t, target)
	o.Collection, o.Dimension = collection(t, dsn), dim
	s := opened(t, strings.Replace(dsn, target, p.Address(), 1), o)
	if err := s.Upsert(context.Background(), documents(10)); err != nil {
		t.Fatal(err)
	}
	return s, p
}

func opened(t *testing.T, dsn string, o Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), dsn, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// calls are all that a store can be asked.
func calls(s *Store) map[string]func(context.Context) error {
	v := [][]float32{documents(1)[0].Vector}
	return map[string]func(context.Context) error{
		"Size":      func(ctx context.Context) error { _, err := s.Size(ctx); return err },
		"Pool":      func(ctx context.Context) error { _, err := s.Pool(ctx, v, 3, nil, v); return err },
		"Documents": func(ctx context.Context) error { _, err := s.Documents(ctx, []engine.Ref{1, 2}); return err },
		"Get":       func(ctx context.Context) error { _, err := s.Get(ctx, "id-1"); return err },
		"Find":      func(ctx context.Context) error { _, err := s.Find(ctx, "id-1"); return err },
		"List":      func(ctx context.Context) error { _, _, err := s.List(ctx, "", 3); return err },
		"Notes":     func(ctx context.Context) error { _, err := s.Notes(ctx, ""); return err },
		"SetNotes":  func(ctx context.Context) error { return s.SetNotes(ctx, map[string]string{"a": "b"}) },
		"Upsert":    func(ctx context.Context) error { return s.Upsert(ctx, documents(3)) },
		"Delete":    func(ctx context.Context) error { _, err := s.Delete(ctx, []string{"none"}); return err },
	}
}

// A connection that was cut is made again.
func TestCutBetweenCalls(t *testing.T) {
	s, p := proxied(t, Options{})
	for name, call := range calls(s) {
		p.Cut()
		if err := call(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Wherever a batch is cut, it is tried again, and ends up stored once.
func TestCutInABatch(t *testing.T) {
	s, p := proxied(t, Options{})
	ctx := context.Background()
	docs := documents(40)
	for cut := int64(1); cut < 20_000; cut = cut*3 + 100 {
		if _, err := s.Delete(ctx, []string{"id-20", "id-30"}); err != nil {
			t.Fatal(err)
		}
		p.Allowed.Store(cut)
		if err := s.Upsert(ctx, docs); err != nil {
			t.Errorf("cut after %d bytes: %v", cut, err)
		}
		if p.Allowed.Load() > 0 {
			t.Errorf("a batch took less than %d bytes: nothing was cut", cut)
		}
		p.Allowed.Store(0)
		size, err := s.Size(ctx)
		if err != nil || size.Documents != 40 || size.Vectors != 120 {
			t.Errorf("cut after %d bytes: %+v, %v", cut, size, err)
		}
		counted(t, s)
	}
}

// counted checks that the numbers that are kept are those of the tables.
func counted(t *testing.T, s *Store) {
	t.Helper()
	const text = `SELECT (SELECT count(*) FROM {c}.documents) = documents AND vectors = documents +
		(SELECT count(*) FROM {c}.passages WHERE vector IS NOT NULL) FROM {c}.settings`
	var right bool
	if err := s.pool.QueryRow(context.Background(), s.statement(text)).Scan(&right); err != nil || !right {
		t.Errorf("the numbers of documents and vectors are right: %t, %v", right, err)
	}
}

// A server that does not answer ends a call with a time-out that says so.
func TestSilence(t *testing.T) {
	s, p := proxied(t, Options{})
	usual := s.options
	for name, call := range calls(s) {
		s.options.Timeout, s.options.WriteTimeout = 200*time.Millisecond, 200*time.Millisecond
		p.Stuck.Store(true)
		err := call(context.Background())
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 200ms") || strings.Contains(err.Error(), "hung up") {
			t.Errorf("%s: %v", name, err)
		}
		p.Stuck.Store(false)
		p.Cut()
		s.options = usual
		if err := call(context.Background()); err != nil {
			t.Errorf("%s, afterwards: %v", name, err)
		}
	}
	p.Stuck.Store(true)
	defer p.Cut()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { _, err := s.Size(ctx); done <- err }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while nothing comes: %v", err)
	}
}

// What is not PostgreSQL, or is not any more, is an error and nothing worse.
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
		dsn := "postgres://user:hunter2@" + enginetest.Answering(t, answer) + "/db?sslmode=disable&connect_timeout=2"
		_, err := Open(context.Background(), dsn, Options{Dimension: dim, Timeout: 5 * time.Second})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A server that is not there is said not to be there.
func TestDown(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	l.Close()
	_, err = Open(context.Background(), "postgres://user:hunter2@"+at+"/db?collection=films", Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(err.Error(), "postgres://"+at+"/db?collection=films") ||
		strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
}

// A server that is stopped for a while, and then killed.
func TestStoppedAndKilled(t *testing.T) {
	srv, err := postgrestest.Start(postgrestest.Find(t))
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	s := opened(t, srv.DSN(), Options{Dimension: dim})
	if err := s.Upsert(context.Background(), documents(10)); err != nil {
		t.Fatal(err)
	}
	usual := s.options
	s.options.Timeout, s.options.WriteTimeout = 200*time.Millisecond, 200*time.Millisecond
	freeze(t, srv)
	for name, call := range calls(s) {
		if err := call(context.Background()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s of a stopped server: %v", name, err)
		}
	}
	thaw(t, srv)
	s.options = usual
	if _, err := s.Get(context.Background(), "id-1"); err != nil {
		t.Errorf("after the server went on: %v", err)
	}
	if err := srv.Process().Kill(); err != nil {
		t.Fatal(err)
	}
	for name, call := range calls(s) {
		if err := call(context.Background()); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("%s of a killed server: %v", name, err)
		}
	}
}
