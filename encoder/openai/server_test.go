package openai

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

const testDim = 8

// quick is a retry pace for tests.
var quick = webclient.Pace{First: time.Millisecond, Most: 4 * time.Millisecond, Patience: 2 * time.Minute}

// testServer is an embeddings server on its own port. behave handles a request, where n is
// its number from 0; if it is nil, the server answers correctly.
type testServer struct {
	*httptest.Server
	behave func(w http.ResponseWriter, r *http.Request, asked request, n int)

	mu      sync.Mutex
	asked   []request
	headers []http.Header
	working int // requests in progress
	most    int // peak of working
}

func newServer(t *testing.T, behave func(w http.ResponseWriter, r *http.Request, asked request, n int)) *testServer {
	t.Helper()
	s := &testServer{behave: behave}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *testServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" {
		http.NotFound(w, r)
		return
	}
	var asked request
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, asked)
	s.headers = append(s.headers, r.Header)
	s.working++
	s.most = max(s.most, s.working)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.working--
		s.mu.Unlock()
	}()
	if s.behave == nil {
		answerWell(w, asked)
		return
	}
	s.behave(w, r, asked, n)
}

// requests returns the requests received, including the one for the dimension.
func (s *testServer) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.asked...)
}

// config returns a configuration for this server, with a dimension, so New sends no request.
func (s *testServer) config() Config {
	return Config{BaseURL: s.URL + "/v1", Model: "test", Dimensions: testDim}
}

// element is one vector of a response.
type element struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding any    `json:"embedding"`
}

func elements(asked request) []element {
	data := make([]element, len(asked.Input))
	for i, text := range asked.Input {
		data[i] = element{"embedding", i, vectorOf(text)}
	}
	return data
}

func answerWell(w http.ResponseWriter, asked request) { answerWith(w, elements(asked)) }

func answerWith(w http.ResponseWriter, data any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": "test", "usage": map[string]int{"total_tokens": 1}})
}

// refuse answers with an error in OpenAI's format.
func refuse(w http.ResponseWriter, code int, kind, message string) {
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": "test", "code": kind}})
}

// vectorOf returns the server's vector for a text. It is not a unit vector.
func vectorOf(text string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, testDim)
	for i := range v {
		v[i] = float32(3 * r.NormFloat64())
	}
	return v
}

// expectVectors compares with the server's own vectors, bit for bit.
func expectVectors(t *testing.T, got [][]float32, texts []string) {
	t.Helper()
	if len(got) != len(texts) {
		t.Fatalf("got %d vectors for %d texts", len(got), len(texts))
	}
	for i, text := range texts {
		want := vectorOf(text)
		must(t, vec.Normalize(want))
		if len(got[i]) != len(want) {
			t.Fatalf("%q: got %d dimensions, want %d", text, len(got[i]), len(want))
		}
		for j := range want {
			if got[i][j] != want[j] {
				t.Fatalf("%q: got %v, want %v", text, got[i], want)
			}
		}
	}
}

func open(t *testing.T, ctx context.Context, c Config) *Encoder {
	t.Helper()
	e, err := newEncoder(ctx, c, quick)
	must(t, err)
	t.Cleanup(e.web.Client.CloseIdleConnections)
	return e
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
