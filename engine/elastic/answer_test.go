package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

// lying returns a store whose server answers searches with the given function.
func lying(t *testing.T, answer func(w http.ResponseWriter)) engine.Collection {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			answer(w)
			return
		}
		io.WriteString(w, `{"films": {"mappings": {"properties": {"v": {"type": "dense_vector", "dims": 2, "similarity": "cosine", "index_options": {"type": "hnsw"}}}}, "settings": {"index": {"number_of_shards": "1"}}}}`)
	}))
	t.Cleanup(server.Close)
	return opened(t, "elastic://"+strings.TrimPrefix(server.URL, "http://")+"/?collection=films", engine.Options{})
}

// TestLies checks that answers from a broken or different server are errors, not crashes.
func TestLies(t *testing.T) {
	const counted = `"total": {"value": 1000000}`
	for _, text := range []string{
		``, `null`, `[]`, `{}`, `{"hits": null}`, `{"hits": {"hits": []}}`, `{"hits": {"total": {"value": -1}, "hits": []}}`, `<html>`,
		`{"hits": {` + counted + `, "hits": [{"_id": ""}]}}`,
		`{"hits": {` + counted + `, "hits": [{"_id": "a"}]}}`,
		`{"hits": {` + counted + `, "hits": [{"_id": "a", "_score": 1e300}]}}`,
		`{"hits": {` + counted + `, "hits": [{"_id": "a", "_score": 0.5}]}}`,
		`{"hits": {` + counted + `, "hits": [{"_id": "a", "_score": 0.5, "fields": {"v": [1]}}]}}`,
		`{"hits": {` + counted + `, "hits": [{"_id": "a", "_score": 0.5, "fields": {"v": [1, "b"]}}]}}`,
		`{"hits": {` + counted + `, "hits": [` + strings.Repeat(`{"_id": "a", "_score": 0.5},`, 1000) + `{"_id": "b", "_score": 0.5}]}}`,
	} {
		s := lying(t, func(w http.ResponseWriter) { io.WriteString(w, text) })
		v := [][]float32{{1, 0}}
		if c, err := s.Pool(context.Background(), v, 3, nil, v); err == nil {
			t.Errorf("%.100s: %+v", text, c)
		}
		if docs, _, err := s.List(context.Background(), engine.Page{Limit: 3, Parts: engine.AllParts}); err == nil && len(docs) > 0 {
			t.Errorf("%.100s: %+v", text, docs)
		}
	}
}

// A server that has too much to do is asked again.
func TestBusy(t *testing.T) {
	var asked atomic.Int64
	s := lying(t, func(w http.ResponseWriter) {
		if asked.Add(1) < 3 {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		io.WriteString(w, `{"hits": {"total": {"value": 7}, "hits": []}}`)
	})
	if size, err := s.Size(context.Background()); err != nil || size.Documents != 7 {
		t.Errorf("got %+v and error %v, want 7 documents", size, err)
	}
}

// A search that failed with another, whose client has gone, is made again.
func TestCancelledWithAnother(t *testing.T) {
	var asked atomic.Int64
	s := lying(t, func(w http.ResponseWriter) {
		if asked.Add(1) == 1 {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error": {"type": "search_phase_execution_exception", "reason": "all shards failed", "root_cause": [{"type": "task_cancelled_exception"}]}}`)
			return
		}
		io.WriteString(w, `{"hits": {"total": {"value": 7}, "hits": []}}`)
	})
	if size, err := s.Size(context.Background()); err != nil || size.Documents != 7 {
		t.Errorf("got %+v and error %v, want 7 documents", size, err)
	}
}

// A key goes with every request, and nowhere else.
func TestKey(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if got := r.Header.Get("Authorization"); got != "ApiKey hunter2" {
			t.Errorf("%s %s comes with %q", r.Method, r.URL, got)
		}
		http.Redirect(w, r, "http://elsewhere.invalid/", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	t.Setenv("ELASTIC_API_KEY", "hunter2")
	_, err := Open(context.Background(), "elastic://"+strings.TrimPrefix(server.URL, "http://"), engine.Options{})
	if err == nil || strings.Contains(err.Error(), "hunter2") || asked.Load() != 1 {
		t.Errorf("%v after %d requests", err, asked.Load())
	}
}

// Whatever an answer holds, reading it ends with documents or with an error.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		`{"hits": {"total": {"value": 1}, "hits": [{"_id": "a", "_score": 1, "_source": {"t": "x", "o": {"p": [1]}}, "fields": {"v": [1, 0.5]}}]}}`,
		`{"hits": {"hits": [{"_id": "a", "_source": {"id": "a", "whole": "AACAPwAAAAA=", "noted": ["x"], "metadata": "{}"}, "sort": [1]}]}}`,
		`{"hits": {"hits": [{"_id": "a", "_source": {"o": {"p": null}, "t": [1, null], "m": {"a": 1}}}]}}`,
	} {
		f.Add([]byte(text))
	}
	layouts := []layout{managed{2}, &attached{
		mapping: newMapping(&property{Properties: map[string]property{"v": {Type: "dense_vector", Dimension: 2}}}),
		Roles:   remote.Roles{ID: identity, Vector: "v", Text: "o.p", Title: "t", Metadata: "m"},
	}}
	f.Fuzz(func(t *testing.T, content []byte) {
		var a answer
		if json.Unmarshal(content, &a) != nil || a.check(&request{Size: 10}) != nil {
			return
		}
		for i := range a.Hits.Hits {
			for _, l := range layouts {
				d, err := l.document(&a.Hits.Hits[i], remote.Want{Parts: engine.AllParts})
				if err != nil {
					continue
				}
				if _, err := predicate.Values(d.Metadata); len(d.Vector) != 2 || err != nil && l == layouts[1] {
					t.Errorf("got %+v and error %v, want a vector of 2 dimensions and metadata that can be read", d, err)
				}
			}
		}
	})
}

func FuzzMark(f *testing.F) {
	f.Add("0.0")
	f.Add("1.-1")
	f.Fuzz(func(t *testing.T, text string) {
		if m, ok := parseMark(text); ok && (m.String() != text || m.shard < 0 || m.from < 0) {
			t.Errorf("%q is %+v", text, m)
		}
	})
}

// A vector that is read as encoding/json reads it.
func FuzzNumbers(f *testing.F) {
	f.Add("[1, -0.5e-3]")
	f.Add(" [1,2 ] ")
	f.Fuzz(func(t *testing.T, text string) {
		var want []float32
		if json.Unmarshal([]byte(text), &want) != nil || want == nil || strings.Contains(text, "null") {
			return // what comes here is JSON
		}
		got, err := numbers([]byte(text), len(want))
		if len(want) == 0 {
			return
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	})
}

// Numbers and texts have terms in their order, whatever they are.
func FuzzTerms(f *testing.F) {
	f.Add(1.5, -2.0, "a", "b")
	f.Fuzz(func(t *testing.T, x, y float64, a, b string) {
		if math.IsNaN(x) || math.IsNaN(y) {
			return
		}
		if p, q := numberDigits(x), numberDigits(y); (x < y) != (p < q) || (x == y) != (p == q) {
			t.Errorf("%g and %g are %s and %s", x, y, p, q)
		}
		if p, q := textDigits(a), textDigits(b); a < b && p > q || len(a) < compared && (a < b) != (p < q) {
			t.Errorf("%q and %q are %s and %s", a, b, p, q)
		}
	})
}
