package hub

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStatus covers the answers with which a hub refuses to list a repository.
func TestStatus(t *testing.T) {
	for name, c := range map[string]struct {
		code    int
		header  http.Header
		body    string
		noToken bool
		tries   int
		want    []string
	}{
		"gated, no token": {401, http.Header{"X-Error-Code": {"GatedRepo"}, "X-Error-Message": {"Access to model owner/model is restricted."}}, "", true, 1,
			[]string{"answers 401 Unauthorized (Access to model owner/model is restricted.)", "gated, accept its licence on the model's page and set HF_TOKEN"}},
		"gated": {403, http.Header{"X-Error-Code": {"GatedRepo"}}, `{"error":"ask the author"}`, false, 1,
			[]string{"403 Forbidden (ask the author)", "gated, accept its licence on the model's page and set HF_TOKEN"}},
		"private or not there": {401, http.Header{"X-Error-Code": {"RepoNotFound"}}, `{"error":"Invalid username or password."}`, true, 1,
			[]string{"check the name", "set HF_TOKEN"}},
		"bad token": {401, nil, `{"error":"the token hf_secret is not valid"}`, false, 1,
			[]string{"the token [token] is not valid", "HF_TOKEN to a token"}},
		"no repository": {404, http.Header{"X-Error-Code": {"RepoNotFound"}}, `{"error":"Repository not found"}`, false, 1,
			[]string{"pulling owner/model: asking http://127.0.0.1", "revision main: ", "404 Not Found (Repository not found); check the names"}},
		"no revision": {404, http.Header{"X-Error-Code": {"RevisionNotFound"}}, "", false, 1, []string{"the revision and the files"}},
		"too many": {429, http.Header{"Retry-After": {"0"}}, `{"error":"slow down"}`, false, 3,
			[]string{"after 3 tries", "429 Too Many Requests (slow down)", "try later"}},
		"too many, for long": {429, http.Header{"Retry-After": {"3600"}}, "", false, 1, []string{"it asks to wait 1h0m0s"}},
		"overloaded":         {503, nil, "<html>nothing to read</html>", false, 3, []string{"after 3 tries", "503 Service Unavailable"}},
		"broken":             {500, nil, "", false, 3, []string{"after 3 tries", "500 Internal Server Error"}},
		"not implemented":    {501, nil, "", false, 1, []string{"501"}},
		"proxy":              {407, nil, "", false, 1, []string{"HTTPS_PROXY"}},
		"strange":            {299, nil, "", false, 1, []string{"answers 299"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newHub(t)
			refuse := func(w http.ResponseWriter) {
				for k, v := range c.header {
					w.Header()[k] = v
				}
				w.WriteHeader(c.code)
				w.Write([]byte(c.body))
			}
			s.onList = func(w http.ResponseWriter, r *http.Request, n int) bool {
				refuse(w)
				return true
			}
			if c.noToken {
				t.Setenv(tokenEnv, "")
				// The test hub requires a token for everything.
				s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					s.change(func() { s.lists++ })
					refuse(w)
				})
			}
			dir := filepath.Join(t.TempDir(), "m")
			_, err := s.pullFrom(t.Context(), Config{Retries: 2}, testModel, dir, nil)
			expectError(t, err, c.want...)
			var status *StatusError
			if !errors.As(err, &status) || status.Code != c.code {
				t.Errorf("got %v, want status %d", err, c.code)
			}
			if n := s.listed(); n != c.tries {
				t.Errorf("got %d tries, want %d", n, c.tries)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("a directory was created needlessly")
			}
		})
	}
}

// A hub with temporary failures is asked again.
func TestRecovers(t *testing.T) {
	s := newHub(t)
	s.onList = func(w http.ResponseWriter, r *http.Request, n int) bool {
		switch n {
		case 0:
			w.WriteHeader(http.StatusInternalServerError)
		case 1:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return n < 2
	}
	s.onContent = func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
		if n == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n == 0
	}
	dir := t.TempDir()
	var pauses []time.Duration
	_, err := s.pullFrom(t.Context(), Config{}, testModel, dir, func(e Event) {
		if e.State == Retrying {
			pauses = append(pauses, e.Pause)
		}
	})
	must(t, err)
	s.expectModel(t, dir)
	if len(pauses) != 4 || pauses[1] != time.Second || pauses[0] > quick.Most {
		t.Errorf("unexpected pauses %v", pauses)
	}
}

// TestFileStatus covers refusals of a listed file.
func TestFileStatus(t *testing.T) {
	s := newHub(t)
	for kind, want := range map[string]string{
		"GatedRepo":     "403 Forbidden; check the name; if the model is private or gated",
		"EntryNotFound": "404 Not Found; check the names",
	} {
		s.change(func() {
			s.onResolve = func(w http.ResponseWriter, r *http.Request, name string) bool {
				w.Header().Set("X-Error-Code", kind)
				if kind == "GatedRepo" {
					w.WriteHeader(http.StatusForbidden)
				} else {
					w.WriteHeader(http.StatusNotFound)
				}
				return true
			}
		})
		_, err := s.pullFrom(t.Context(), Config{}, Model{Repository: testRepository, Files: []string{"model.onnx"}}, t.TempDir(), nil)
		expectError(t, err, "owner/model: model.onnx: ", want)
	}
}

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		address, endpoint, token string
		want, wanted             string
	}{
		{"", "", "", "https://huggingface.co", ""},
		{"", "https://Mirror.example/hf/", "", "https://mirror.example/hf", ""},
		{"http://localhost:8080", "https://mirror.example", " t ", "http://localhost:8080", ""},
		{"localhost:8080", "", "", "", "does not begin with http://"},
		{"http://", "", "", "", "names no host"},
		{"http://u:hf_secret@h", "", "", "", "holds credentials; set HF_TOKEN"},
		{"http://u:hf_secret@h%zz", "", "", "", "cannot be read"},
		{"http://h?x", "", "", "", "after ? or #"},
		{"", "", "hf_secret\x01", "", "HF_TOKEN contains characters"},
		{"", "", "two hf_secret", "", "HF_TOKEN contains characters"},
	} {
		t.Setenv(endpointEnv, c.endpoint)
		t.Setenv(tokenEnv, c.token)
		h, err := open(c.address)
		if c.wanted != "" {
			expectError(t, err, c.wanted)
			continue
		}
		must(t, err)
		if h.base.String() != c.want || h.token != strings.TrimSpace(c.token) {
			t.Errorf("%+v: got %+v", c, h)
		}
	}
	_, err := Pull(t.Context(), "http://u:hf_secret@h", testModel, t.TempDir(), nil)
	expectError(t, err, "pulling owner/model: the address of the hub holds credentials")
}
