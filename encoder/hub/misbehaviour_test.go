package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// only returns a hook for the requests of the large file.
func only(f func(w http.ResponseWriter, r *http.Request, n int) bool) func(http.ResponseWriter, *http.Request, string, int) bool {
	return func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
		return name == "model.onnx" && f(w, r, n)
	}
}

// A connection that keeps breaking resumes where it stopped, more often than retries
// without progress are allowed, and no byte is sent twice.
func TestCuts(t *testing.T) {
	s := newHub(t)
	s.onContent = only(func(w http.ResponseWriter, r *http.Request, n int) bool {
		s.serveWell(cutAfter(w, 29_999), r, "model.onnx")
		return true
	})
	dir := t.TempDir()
	retries := 0
	r, err := s.pullFrom(t.Context(), Config{Retries: 1}, testModel, dir, func(e Event) {
		if e.State == Retrying {
			retries++
			expectError(t, e.Err, "the connection failed")
			if e.Bytes != int64(retries)*29_999 || e.Pause <= 0 {
				t.Errorf("unexpected event %+v", e)
			}
		}
	})
	must(t, err)
	s.expectModel(t, dir)
	for i, got := range s.requests("model.onnx") {
		want := request{"model.onnx", fmt.Sprintf("bytes=%d-", i*29_999), 29_999}
		switch i {
		case 0:
			want.rang = ""
		case 10:
			want.served = 10
		}
		if got != want {
			t.Errorf("request %d: got %+v, want %+v", i, got, want)
		}
	}
	if r.Bytes != 300_016 {
		t.Errorf("unexpected number of bytes received: %d", r.Bytes)
	}
}

// TestOneBadConnection covers failures that occur once, on the first or second request,
// and are recovered from.
func TestOneBadConnection(t *testing.T) {
	cut := func(s *testHub, w http.ResponseWriter, r *http.Request) {
		s.serveWell(cutAfter(w, 100_000), r, "model.onnx")
	}
	for name, c := range map[string]struct {
		second func(s *testHub, w http.ResponseWriter, r *http.Request) // after a first response that was cut
		want   string                                                   // the error, if the pull must be repeated
	}{
		"ignores Range": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Range")
			s.serveWell(w, r, "model.onnx")
		}, ""},
		"another piece": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Range", "bytes=99999-")
			s.serveWell(w, r, "model.onnx")
		}, ""},
		"a strange range": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "lines 1-2/3")
			w.WriteHeader(http.StatusPartialContent)
		}, ""},
		"another size": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 100000-199999/200000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(make([]byte, 100_000))
		}, "the download is not the listed file and was removed; pull again"},
		"cannot go on": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		}, ""},
		"damaged": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 100000-299999/300000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(make([]byte, 200_000))
		}, "the download is not the listed file and was removed; pull again"},
		"says nothing":  {func(s *testHub, w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, ""},
		"no length":     {func(s *testHub, w http.ResponseWriter, r *http.Request) { serveLengthless(s, w, r, 200_000) }, ""},
		"ends early":    {func(s *testHub, w http.ResponseWriter, r *http.Request) { serveLengthless(s, w, r, 150_000) }, ""},
		"goes on after": {func(s *testHub, w http.ResponseWriter, r *http.Request) { serveLengthless(s, w, r, 300_000) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newHub(t)
			s.onContent = only(func(w http.ResponseWriter, r *http.Request, n int) bool {
				switch n {
				case 0:
					cut(s, w, r)
				case 1:
					c.second(s, w, r)
				}
				return n < 2
			})
			dir := t.TempDir()
			_, err := s.pullFrom(t.Context(), Config{Retries: 1}, testModel, dir, nil)
			if c.want != "" {
				expectError(t, err, c.want)
				_, err = s.pull(t, dir)
			}
			must(t, err)
			s.expectModel(t, dir)
		})
	}
}

// serveLengthless sends n bytes from offset 100,000 on, zeros beyond the end of the file,
// without a Content-Length.
func serveLengthless(s *testHub, w http.ResponseWriter, r *http.Request, n int) {
	w.Header().Set("Content-Range", "bytes 100000-*/*")
	w.Header().Set("Content-Type", "application/octet-stream")
	w.WriteHeader(http.StatusPartialContent)
	http.NewResponseController(w).Flush()
	content := append(slices.Clone(s.content("model.onnx")[100_000:]), make([]byte, n)...)
	w.Write(content[:n])
}

// TestBadServer covers failures on every request, which make the pull fail.
func TestBadServer(t *testing.T) {
	for name, c := range map[string]struct {
		content func(s *testHub, w http.ResponseWriter, r *http.Request)
		tries   int
		want    []string
	}{
		"wrong content": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Write(make([]byte, 300_000))
		}, 1, []string{"removed", "its SHA-256 is " + sha256Of(make([]byte, 300_000)), "hub lists " + sha256Of(randomBytes(1, 300_000))}},
		"wrong length": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "299999")
			w.Write(make([]byte, 299_999))
		}, 1, []string{"offers 299999 bytes", "hub lists 300000"}},
		"a page": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html>please log in")
		}, 1, []string{"offers 19 bytes"}},
		"compressed": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte("packed"))
		}, 1, []string{"offers 6 bytes"}},
		"cut at one place, without ranges": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Range")
			s.serveWell(cutAfter(w, 100_000), r, "model.onnx")
		}, 4, []string{"after 3 tries", "the connection failed"}},
		"nothing": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			panic(http.ErrAbortHandler)
		}, 3, []string{"after 3 tries", "the connection failed", "EOF"}},
		"a piece that was not asked for": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusPartialContent)
		}, 3, []string{"after 3 tries", "a different range"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newHub(t)
			s.onContent = only(func(w http.ResponseWriter, r *http.Request, n int) bool {
				c.content(s, w, r)
				return true
			})
			dir := t.TempDir()
			_, err := s.pullFrom(t.Context(), Config{Retries: 2}, testModel, dir, nil)
			expectError(t, err, append(c.want, "pulling owner/model: model.onnx: ")...)
			if n := len(s.requests("model.onnx")); n != c.tries {
				t.Errorf("got %d requests, want %d", n, c.tries)
			}
			if _, err := ReadManifest(dir); !errors.Is(err, ErrIncomplete) {
				t.Errorf("got a manifest or another error: %v", err)
			}
			s.change(func() { s.onContent = nil })
			_, err = s.pull(t, dir)
			must(t, err)
			s.expectModel(t, dir)
		})
	}
}

// TestWrongBlob covers a small file that does not match the listed git blob id.
func TestWrongBlob(t *testing.T) {
	s := newHub(t)
	s.onContent = func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
		fmt.Fprint(w, `{"dimension": 9}`)
		return true
	}
	dir := t.TempDir()
	m := testModel
	m.Files, m.Optional = []string{"onnx/config #1.js"}, nil
	_, err := s.pullFrom(t.Context(), Config{}, m, dir, nil)
	expectError(t, err, "onnx/config #1.js", "git blob id is "+blobOf([]byte(`{"dimension": 9}`)), "hub lists "+blobOf([]byte(`{"dimension": 8}`)))
	if got := tree(t, dir); !slices.Equal(got, []string{lockName, "onnx/config #1.js.part"}) {
		t.Errorf("unexpected files %q", got)
	}
}

// A server that sends nothing is abandoned and asked again.
func TestStall(t *testing.T) {
	for name, stall := range map[string]func(s *testHub, w http.ResponseWriter){
		"before the header": func(*testHub, http.ResponseWriter) {},
		"in the content": func(s *testHub, w http.ResponseWriter) {
			w.Header().Set("Content-Length", "300000")
			w.Write(s.content("model.onnx")[:100_000])
			http.NewResponseController(w).Flush()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newHub(t)
			var always atomic.Bool
			s.onContent = only(func(w http.ResponseWriter, r *http.Request, n int) bool {
				if n > 0 && !always.Load() {
					return false
				}
				stall(s, w)
				<-r.Context().Done()
				return true
			})
			dir := t.TempDir()
			var reported error
			_, err := s.pullFrom(t.Context(), Config{Timeout: 400 * time.Millisecond}, testModel, dir, func(e Event) {
				if e.State == Retrying {
					reported = e.Err
				}
			})
			must(t, err)
			expectError(t, reported, "no data received for 400ms")
			s.expectModel(t, dir)
			always.Store(true)
			_, err = s.pullFrom(t.Context(), Config{Timeout: 50 * time.Millisecond, Retries: -1}, testModel, t.TempDir(), nil)
			expectError(t, err, "no data received for 50ms")
		})
	}
}

// TestParts covers parts left by an earlier pull.
func TestParts(t *testing.T) {
	s := newHub(t)
	content := s.content("model.onnx")
	for name, c := range map[string]struct {
		part    []byte
		want    []string // the Range headers of the requests
		damaged bool     // the first pull fails, and the next one starts from the beginning
	}{
		"half":          {content[:150_000], []string{"bytes=150000-"}, false},
		"all":           {content, nil, false},
		"all, damaged":  {make([]byte, 300_000), []string{""}, true},
		"half, damaged": {make([]byte, 150_000), []string{"bytes=150000-", ""}, true},
		"too much":      {make([]byte, 300_001), []string{""}, false},
		"empty":         {nil, []string{""}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newHub(t)
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, "model.onnx.part"), c.part, 0o666))
			_, err := s.pull(t, dir)
			if c.damaged {
				expectError(t, err, "the download is not the listed file and was removed; pull again")
				_, err = s.pull(t, dir)
			}
			must(t, err)
			s.expectModel(t, dir)
			var got []string
			for _, r := range s.requests("model.onnx") {
				got = append(got, r.rang)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got requests %q, want %q", got, c.want)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	s := newHub(t)
	s.onResolve = func(w http.ResponseWriter, r *http.Request, name string) bool {
		http.Redirect(w, r, r.URL.EscapedPath(), http.StatusFound)
		return true
	}
	_, err := s.pull(t, t.TempDir())
	expectError(t, err, "redirected 10 times")

	s.change(func() {
		s.onResolve = func(w http.ResponseWriter, r *http.Request, name string) bool {
			if name == "model.onnx" {
				http.Redirect(w, r, s.store.URL+"/"+name+"?Signature=expired", http.StatusFound)
			}
			return name == "model.onnx"
		}
	})
	_, err = s.pull(t, t.TempDir())
	expectError(t, err, "after 4 tries", strings.TrimPrefix(s.store.URL, "http://")+" answers 403", "firewall")

	t.Setenv(endpointEnv, "https://hub.example")
	h, err := open("")
	must(t, err)
	for target, want := range map[string]string{
		"https://hub.example/b":      "",
		"https://cdn.hub.example/b":  "",
		"https://hub.example:8443/b": "",
		"http://hub.example/b":       "from https to http",
	} {
		from, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, "https://hub.example/a", nil)
		to, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, target, nil)
		to.Header.Set("Authorization", "Bearer "+testToken)
		err := h.redirect(to, []*http.Request{from})
		if want != "" {
			expectError(t, err, want)
		} else if err != nil {
			t.Errorf("%s: got error %v, want none", target, err)
		}
		if shown := to.Header.Get("Authorization") != ""; shown != (target == "https://hub.example/b") {
			t.Errorf("%s: token sent is %v", target, shown)
		}
	}
}
