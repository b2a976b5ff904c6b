package chroma

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/chroma/chromatest"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

const dim = 8

func documents(n int) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		v := make([]float32, dim)
		for j := range v {
			v[j] = float32(math.Sin(float64((i + 1) * (j + 2))))
		}
		docs[i] = engine.Document{
			ID: fmt.Sprint("id-", i), Title: "title", Text: strings.Repeat("text ", 20), Vector: v,
			Metadata: fmt.Appendf(nil, `{"n": %d}`, i),
			Passages: []engine.Passage{{Text: "a", Vector: v}, {Text: "b", Vector: v}},
		}
	}
	return docs
}

// proxied is a store behind a proxy, with some documents in it.
func proxied(t *testing.T) (*Store, *enginetest.Proxy) {
	url := sharedURL(t)
	at, err := configure(url, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := enginetest.NewProxy(t, at.host)
	s := opened(t, strings.Replace(url, at.host, p.Address(), 1), Options{Collection: collection(t, url), Dimension: dim})
	if err := s.Upsert(context.Background(), documents(10)); err != nil {
		t.Fatal(err)
	}
	return s, p
}

// calls are all that a store can be asked.
func calls(s *Store) map[string]func(context.Context) error {
	v := [][]float32{documents(1)[0].Vector}
	return map[string]func(context.Context) error{
		"Size":      func(ctx context.Context) error { _, err := s.Size(ctx); return err },
		"Pool":      func(ctx context.Context) error { _, err := s.Pool(ctx, v, 3, nil, v); return err },
		"near":      func(ctx context.Context) error { _, err := s.Pool(ctx, v, 1, nil, v); return err },
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
	s, p := proxied(t)
	for name, call := range calls(s) {
		p.Cut()
		if err := call(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Wherever a batch is cut, it is tried again, and ends up stored once.
func TestCutInABatch(t *testing.T) {
	s, p := proxied(t)
	ctx := context.Background()
	docs := documents(40)
	for cut := int64(1); cut < 60_000; cut = cut*3 + 100 {
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
		if size, err := s.Size(ctx); err != nil || size.Documents != 40 || size.Vectors != 120 {
			t.Errorf("cut after %d bytes: %+v, %v", cut, size, err)
		}
	}
}

// A server that does not answer ends a call with a time-out that says so.
func TestSilence(t *testing.T) {
	s, p := proxied(t)
	usual := s.options
	for name, call := range calls(s) {
		s.options.Timeout, s.options.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond
		p.Stuck.Store(true)
		err := call(context.Background())
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 100ms") || strings.Contains(err.Error(), "hung up") {
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

// What is not Chroma is an error and nothing worse.
func TestGarbage(t *testing.T) {
	t.Setenv("CHROMA_TOKEN", "hunter2")
	for name, answer := range map[string]string{
		"nothing":       "",
		"zeros":         strings.Repeat("\x00", 1000),
		"another":       "220 mail.example.org ESMTP\r\n",
		"no JSON":       "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"other JSON":    "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"a\": 1}",
		"half":          "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"max_batch_size\":",
		"endless":       "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999\r\n\r\n{",
		"no header end": "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 100_000),
		"an echo":       "HTTP/1.1 401 Unauthorized\r\nContent-Length: 21\r\n\r\nnot the token hunter2",
		"elsewhere":     "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
		"an error page": "HTTP/1.1 404 Not Found\r\nContent-Length: 26\r\n\r\n<html>no such page</html>\n",
	} {
		url := "chroma://" + enginetest.Answering(t, answer) + "/"
		_, err := Open(context.Background(), url, Options{Dimension: dim, Timeout: 5 * time.Second})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") || len(err.Error()) > 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The token goes to the server, and nowhere else.
func TestToken(t *testing.T) {
	t.Setenv("CHROMA_TOKEN", "hunter2")
	t.Setenv("CHROMA_AUTHORIZATION", "Bearer hunter3")
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another server was asked") }))
	defer elsewhere.Close()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if token, authorization := r.Header.Get("X-Chroma-Token"), r.Header.Get("Authorization"); token != "hunter2" || authorization != "Bearer hunter3" {
			t.Errorf("token %q, authorization %q", token, authorization)
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	_, err := Open(context.Background(), "chroma://"+strings.TrimPrefix(server.URL, "http://")+"/", Options{})
	if err == nil || asked != 1 || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter") || !strings.Contains(err.Error(), "307") {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

// A server whose certificate is not trusted is not asked, nor asked again.
func TestUntrusted(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	_, err := Open(context.Background(), "chroma://"+strings.TrimPrefix(server.URL, "https://")+"/?ssl=true", Options{})
	if err == nil || !strings.Contains(err.Error(), "certificate") || strings.Contains(err.Error(), "tries") {
		t.Errorf("%v", err)
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
	_, err = Open(context.Background(), "chroma://"+at+"?collection=films", Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(err.Error(), "chroma://"+at+"/?collection=films") {
		t.Errorf("%v", err)
	}
}

// A server that is stopped for a while.
func TestStopped(t *testing.T) {
	srv := started(t, chromatest.Options{})
	defer srv.Close()
	s := opened(t, srv.URL(), Options{Dimension: dim})
	if err := s.Upsert(context.Background(), documents(10)); err != nil {
		t.Fatal(err)
	}
	usual := s.options
	s.options.Timeout, s.options.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond
	freeze(t, srv)
	for name, call := range calls(s) {
		if err := call(context.Background()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s of a stopped server: %v", name, err)
		}
	}
	thaw(t, srv)
	s.options = usual
	for name, call := range calls(s) {
		if err := call(context.Background()); err != nil {
			t.Errorf("%s after the server went on: %v", name, err)
		}
	}
}
