package hub

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

const (
	testRepository = "owner/model"
	testToken      = "hf_secret"
	testSignature  = "signed" // grants access to a file on the other server
)

// quick is a retry pace for tests.
var quick = webclient.Pace{First: time.Millisecond, Most: 4 * time.Millisecond, Patience: 3 * time.Second}

// request is a request for the content of a file.
type request struct {
	name, rang string
	served     int // bytes
}

// asked is a request in progress or finished.
type asked struct {
	request
	served atomic.Int64
}

// testHub is a hub on its own port, with a second server on another port for the content
// of large files. Hooks run first; if one returns false, the hub handles the request. n
// counts from 0, separately for listings and for the content of each file.
type testHub struct {
	*httptest.Server
	store *httptest.Server

	onList    func(w http.ResponseWriter, r *http.Request, n int) bool
	onResolve func(w http.ResponseWriter, r *http.Request, name string) bool
	onContent func(w http.ResponseWriter, r *http.Request, name string, n int) bool

	mu       sync.Mutex
	commit   string
	files    map[string][]byte
	large    map[string]bool
	lists    int
	contents []*asked
	tokens   map[string]bool // the Authorization headers that reached the store
}

// newHub returns a hub with three files: a large one, a small one in a folder, and an empty one.
func newHub(t *testing.T) *testHub {
	t.Helper()
	t.Setenv(tokenEnv, testToken)
	s := &testHub{
		commit: strings.Repeat("c0", 20),
		files: map[string][]byte{
			"model.onnx":        randomBytes(1, 300_000),
			"onnx/config #1.js": []byte(`{"dimension": 8}`),
			"empty.txt":         nil,
			"unwanted.bin":      []byte("unwanted"),
		},
		large:  map[string]bool{"model.onnx": true},
		tokens: map[string]bool{},
	}
	s.store = httptest.NewServer(http.HandlerFunc(s.serveStore))
	s.Server = httptest.NewServer(http.HandlerFunc(s.serveHub))
	t.Cleanup(s.Close)
	t.Cleanup(s.store.Close)
	return s
}

var testModel = Model{
	Repository: testRepository,
	Files:      []string{"model.onnx", "onnx/config #1.js", "empty.txt"},
	Optional:   []string{"vocab.txt"},
}

func randomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func sha256Of(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func blobOf(content []byte) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
	return hex.EncodeToString(sum[:])
}

// change modifies the hub between requests. Handlers of a killed client may still be
// running.
func (s *testHub) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// content returns the content of a file, or nil.
func (s *testHub) content(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name]
}

func (s *testHub) isLarge(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.large[name]
}

func (s *testHub) etag(name string) string {
	if s.isLarge(name) {
		return `"` + sha256Of(s.content(name)) + `"`
	}
	return `"` + blobOf(s.content(name)) + `"`
}

func (s *testHub) serveHub(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+testToken {
		http.Error(w, "no token", http.StatusUnauthorized)
		return
	}
	s.mu.Lock()
	commit, onList, onResolve := s.commit, s.onList, s.onResolve
	s.mu.Unlock()
	prefix := "/" + testRepository + "/resolve/" + commit + "/"
	switch name := strings.TrimPrefix(r.URL.Path, prefix); {
	case strings.HasPrefix(r.URL.Path, "/api/models/"+testRepository+"/revision/"):
		s.mu.Lock()
		n := s.lists
		s.lists++
		s.mu.Unlock()
		if onList == nil || !onList(w, r, n) {
			s.serveList(w, r, true)
		}
	case strings.HasPrefix(r.URL.Path, "/cache/"):
		s.serveContent(w, r, strings.TrimPrefix(r.URL.Path, "/cache/"))
	case name == r.URL.Path || s.content(name) == nil:
		w.Header().Set("X-Error-Code", "EntryNotFound")
		w.WriteHeader(http.StatusNotFound)
	case onResolve != nil && onResolve(w, r, name):
	case s.isLarge(name):
		w.Header().Set("X-Repo-Commit", commit)
		w.Header().Set("X-Linked-Etag", s.etag(name))
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(s.content(name))))
		w.Header().Set("Location", s.store.URL+"/"+name+"?Signature="+testSignature)
		w.WriteHeader(http.StatusFound)
	default:
		w.Header().Set("Location", (&url.URL{Path: "/cache/" + name}).String())
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
}

// serveList returns a listing with hashes, or one with names only.
func (s *testHub) serveList(w http.ResponseWriter, r *http.Request, hashes bool) {
	var siblings []map[string]any
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, content := range s.files {
		f := map[string]any{"rfilename": name}
		if hashes && r.URL.Query().Get("blobs") == "true" {
			f["size"] = len(content)
			f["blobId"] = blobOf(content)
			if s.large[name] {
				f["blobId"] = blobOf([]byte("version https://git-lfs.github.com/spec/v1"))
				f["lfs"] = map[string]any{"sha256": sha256Of(content), "size": len(content), "pointerSize": 135}
			}
		}
		siblings = append(siblings, f)
	}
	body, err := json.Marshal(map[string]any{"id": testRepository, "sha": s.commit, "gated": false, "siblings": siblings})
	if err != nil {
		panic(err)
	}
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write(body)
		z.Close()
		w.Header().Set("Content-Encoding", "gzip")
		body = packed.Bytes()
	}
	w.Write(body)
}

func (s *testHub) serveStore(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.tokens[r.Header.Get("Authorization")] = true
	s.mu.Unlock()
	if r.Method != http.MethodGet || r.URL.Query().Get("Signature") != testSignature {
		http.Error(w, "not signed", http.StatusForbidden)
		return
	}
	s.serveContent(w, r, strings.TrimPrefix(r.URL.Path, "/"))
}

func (s *testHub) serveContent(w http.ResponseWriter, r *http.Request, name string) {
	w.Header().Set("Etag", s.etag(name))
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Length", fmt.Sprint(len(s.content(name))))
		return
	}
	this := &asked{request: request{name: name, rang: r.Header.Get("Range")}}
	s.mu.Lock()
	n := 0
	for _, other := range s.contents {
		if other.name == name {
			n++
		}
	}
	s.contents = append(s.contents, this)
	onContent := s.onContent
	s.mu.Unlock()
	counted := &counter{ResponseWriter: w, served: &this.served, limit: -1}
	if onContent == nil || !onContent(counted, r, name, n) {
		s.serveWell(counted, r, name)
	}
}

// serveWell supports Range requests.
func (s *testHub) serveWell(w http.ResponseWriter, r *http.Request, name string) {
	http.ServeContent(w, r, path.Base(name), time.Time{}, bytes.NewReader(s.content(name)))
}

// counter counts the bytes of a body and, with a limit, cuts the connection once it is
// reached.
type counter struct {
	http.ResponseWriter
	served *atomic.Int64
	limit  int
}

func (c *counter) Write(p []byte) (int, error) {
	if c.limit >= 0 && len(p) > c.limit {
		n, _ := c.ResponseWriter.Write(p[:c.limit])
		c.served.Add(int64(n))
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	n, err := c.ResponseWriter.Write(p)
	c.served.Add(int64(n))
	if c.limit >= 0 {
		c.limit -= n
	}
	return n, err
}

func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// cutAfter makes w cut the connection after n bytes of the body.
func cutAfter(w http.ResponseWriter, n int) http.ResponseWriter {
	w.(*counter).limit = n
	return w
}

// listed returns how often the listing was requested.
func (s *testHub) listed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists
}

// requests returns the requests for the content of a file.
func (s *testHub) requests(name string) []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []request
	for _, r := range s.contents {
		if r.name == name {
			done := r.request
			done.served = int(r.served.Load())
			found = append(found, done)
		}
	}
	return found
}
