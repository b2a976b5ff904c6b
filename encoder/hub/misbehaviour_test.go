package hub

import (
	"context"
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

// only makes a hook for the requests of the large file.
func only(f func(w http.ResponseWriter, r *http.Request, n int) bool) func(http.ResponseWriter, *http.Request, string, int) bool {
	return func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
		return name == "model.onnx" && f(w, r, n)
	}
}

// expectNothing checks that a directory holds no model and nothing of the large
// file.
func expectNothing(t *testing.T, dir string) {
	t.Helper()
	for _, name := range tree(t, dir) {
		if strings.HasPrefix(name, "model.onnx") || name == manifestName {
			t.Errorf("%s is there", name)
		}
	}
}

// TestCuts: a connection that breaks again and again goes on where it stopped,
// more often than tries without success would be made, and no byte comes twice.
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
				t.Errorf("%+v", e)
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
			t.Errorf("request %d is %+v, want %+v", i, got, want)
		}
	}
	if r.Bytes != 300_016 {
		t.Errorf("%d bytes have come", r.Bytes)
	}
}

// TestCutsAfterDamage: a file that is fetched once more because its part was
// damaged has all its tries again.
func TestCutsAfterDamage(t *testing.T) {
	s := newHub(t)
	s.onContent = only(func(w http.ResponseWriter, r *http.Request, n int) bool {
		s.serveWell(cutAfter(w, 29_999), r, "model.onnx")
		return true
	})
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "model.onnx.part"), make([]byte, 300_000), 0o666))
	_, err := s.pullFrom(t.Context(), Config{Retries: 1}, testModel, dir, nil)
	must(t, err)
	s.expectModel(t, dir)
}

// TestOneBadConnection has what may happen once, on the first or the second
// request, and is got over.
func TestOneBadConnection(t *testing.T) {
	cut := func(s *testHub, w http.ResponseWriter, r *http.Request) {
		s.serveWell(cutAfter(w, 100_000), r, "model.onnx")
	}
	for name, c := range map[string]struct {
		second   func(s *testHub, w http.ResponseWriter, r *http.Request) // after a first one that was cut
		restarts string
	}{
		"ignores Range": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Range")
			s.serveWell(w, r, "model.onnx")
		}, "sends it from its beginning"},
		"another piece": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Range", "bytes=99999-")
			s.serveWell(w, r, "model.onnx")
		}, "another piece"},
		"a strange range": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "lines 1-2/3")
			w.WriteHeader(http.StatusPartialContent)
		}, "another piece"},
		"another size": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 100000-199999/200000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(make([]byte, 100_000))
		}, "the part that was there is damaged"},
		"cannot go on": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		}, "answers 416"},
		"damaged": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 100000-299999/300000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(make([]byte, 200_000))
		}, "the part that was there is damaged"},
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
			var restarts []string
			_, err := s.pullFrom(t.Context(), Config{Retries: 1}, testModel, dir, func(e Event) {
				if e.State == Restarting {
					restarts = append(restarts, e.Err.Error())
				}
			})
			must(t, err)
			s.expectModel(t, dir)
			if c.restarts == "" && len(restarts) > 0 || c.restarts != "" && (len(restarts) != 1 || !strings.Contains(restarts[0], c.restarts)) {
				t.Errorf("begun again because of %q, want %q", restarts, c.restarts)
			}
		})
	}
}

// serveLengthless sends n bytes from 100,000 on, those beyond the file zero,
// without telling how many they are.
func serveLengthless(s *testHub, w http.ResponseWriter, r *http.Request, n int) {
	w.Header().Set("Content-Range", "bytes 100000-*/*")
	w.Header().Set("Content-Type", "application/octet-stream")
	w.WriteHeader(http.StatusPartialContent)
	http.NewResponseController(w).Flush()
	content := append(slices.Clone(s.content("model.onnx")[100_000:]), make([]byte, n)...)
	w.Write(content[:n])
}

// TestBadServer has what happens every time, so that the pull fails.
func TestBadServer(t *testing.T) {
	for name, c := range map[string]struct {
		content func(s *testHub, w http.ResponseWriter, r *http.Request)
		tries   int
		want    []string
	}{
		"wrong content": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Write(make([]byte, 300_000))
		}, 1, []string{"removed", "it has the SHA-256 " + sha256Of(make([]byte, 300_000)), "hub says " + sha256Of(randomBytes(1, 300_000))}},
		"wrong length": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "299999")
			w.Write(make([]byte, 299_999))
		}, 1, []string{"sends 299999 bytes", "says that it has 300000"}},
		"a page": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html>please log in")
		}, 1, []string{"sends 19 bytes"}},
		"compressed": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte("packed"))
		}, 1, []string{"sends it compressed (gzip)"}},
		"cut at one place, without ranges": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Range")
			s.serveWell(cutAfter(w, 100_000), r, "model.onnx")
		}, 4, []string{"after 3 tries", "the connection failed"}},
		"nothing": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			panic(http.ErrAbortHandler)
		}, 3, []string{"after 3 tries", "the connection failed", "EOF"}},
		"a piece that was not asked for": {func(s *testHub, w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusPartialContent)
		}, 3, []string{"after 3 tries", "another piece"}},
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
				t.Errorf("%d requests, want %d", n, c.tries)
			}
			if name == "wrong content" {
				expectNothing(t, dir)
			}
			s.change(func() { s.onContent = nil })
			_, err = s.pull(t, dir)
			must(t, err)
			s.expectModel(t, dir)
		})
	}
}

// TestWrongBlob has a small file that is not the git blob that was told.
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
	expectError(t, err, "onnx/config #1.js", "git blob it has the id "+blobOf([]byte(`{"dimension": 9}`)), "hub says "+blobOf([]byte(`{"dimension": 8}`)))
	if got := tree(t, dir); !slices.Equal(got, []string{lockName}) {
		t.Errorf("there are %q", got)
	}
}

// TestStall: a server that says nothing is left, and asked again.
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
			var told error
			_, err := s.pullFrom(t.Context(), Config{Timeout: 400 * time.Millisecond}, testModel, dir, func(e Event) {
				if e.State == Retrying {
					told = e.Err
				}
			})
			must(t, err)
			expectError(t, told, "nothing has come for 400ms")
			s.expectModel(t, dir)
			always.Store(true)
			_, err = s.pullFrom(t.Context(), Config{Timeout: 50 * time.Millisecond, Retries: -1}, testModel, t.TempDir(), nil)
			expectError(t, err, "nothing has come for 50ms")
		})
	}
}

// TestParts has parts that an earlier pull may have left.
func TestParts(t *testing.T) {
	s := newHub(t)
	content := s.content("model.onnx")
	for name, c := range map[string]struct {
		part []byte
		want []string // the Range of the requests
	}{
		"half":          {content[:150_000], []string{"bytes=150000-"}},
		"all":           {content, nil},
		"all, damaged":  {make([]byte, 300_000), []string{""}},
		"half, damaged": {make([]byte, 150_000), []string{"bytes=150000-", ""}},
		"too much":      {make([]byte, 300_001), []string{""}},
		"empty":         {nil, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newHub(t)
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, "model.onnx.part"), c.part, 0o666))
			_, err := s.pull(t, dir)
			must(t, err)
			s.expectModel(t, dir)
			var got []string
			for _, r := range s.requests("model.onnx") {
				got = append(got, r.rang)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("requests %q, want %q", got, c.want)
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
	expectError(t, err, "redirects 10 times")

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
	h, err := Config{}.open()
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
			t.Errorf("%s: %v", target, err)
		}
		if shown := to.Header.Get("Authorization") != ""; shown != (target == "https://hub.example/b") {
			t.Errorf("%s is shown the token: %v", target, shown)
		}
	}
}
