package server

import (
	"bytes"
	"net/http/httptest"
	"testing"
)

// fuzzServer has a collection with a few documents, and answers without a network.
func fuzzServer(f *testing.F) func(t *testing.T, path, contentType string, body []byte) int {
	s, err := New(Config{Root: f.TempDir(), Limits: Limits{QueryBytes: 1 << 16, WriteBytes: 1 << 16, StreamBytes: 1 << 16}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := s.Close(); err != nil {
			f.Error(err)
		}
	})
	send := func(path, contentType string, body []byte) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "http://localhost"+path, bytes.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	send("/v1/collections", "application/json", []byte(`{"name": "pets"}`))
	if w := send("/v1/collections/pets/documents", "application/json", []byte(animals)); w.Code != 200 {
		f.Fatal(w.Body)
	}
	check := newChecker(f, s.openAPI)
	return func(t *testing.T, path, contentType string, body []byte) int {
		w := send(path, contentType, body)
		if w.Code >= 500 {
			t.Fatalf("%s: %d: %s", path, w.Code, w.Body)
		}
		check.response(t, httptest.NewRequest("POST", path, nil), w.Result(), w.Body.Bytes())
		return w.Code
	}
}

func FuzzSearch(f *testing.F) {
	for _, s := range []string{
		`{"query": "dog AND NOT leash", "explain": true, "compare": true, "columns": true}`,
		`{"query": "dogs without leashes", "nl": "auto", "mode": "hybrid", "solver": "rsgd"}`,
		`{"must": ["dog", {"text": "cat", "weight": 2}], "should": [{"must_not": ["x"]}], "must_not": [{"id": "free"}]}`,
		`{"positive": ["dog"], "negative": [{"id": "cat"}], "mode": "geo-hybrid", "fusion": "centroid"}`,
		`{"query": "dog", "filter": {"year": {"gte": 2015, "lt": 2e3}, "kind": ["photo", true]}, "pool": "union"}`,
		`{"query": "a OR (b AND NOT c)", "logic": {"c_and": 0, "c_not": 100, "gate": 1e-300, "similarity": "raw", "no_floors": "or"}}`,
		`{"query": "NOT a AND NOT b", "logic": {"gate": "off", "similarity": "affine"}, "mode": "sqo", "candidates": 1}`,
		`{"query": "dog AND NOT cat", "k": 1, "offset": 2, "text": "all", "fields": ["year", "a.b"], "facets": ["year", {"field": "kind", "size": 3}]}`,
		`{"query": "dog yeer:1", "offset": 999, "text": "passage", "fields": [], "facets": [{"size": -1}, null]}`,
		`{"id": "free", "query": "dog"}`, `{"k": 1e9}`, `{"query": "\u0000"}`, `[`, `null`,
	} {
		for path := range uint8(4) {
			f.Add([]byte(s), path)
		}
	}
	send := fuzzServer(f)
	paths := []string{searchPath, "/v1/collections/pets/explain", "/v1/collections/pets/vector", "/v1/plan"}
	f.Fuzz(func(t *testing.T, body []byte, path uint8) {
		send(t, paths[int(path)%len(paths)], "application/json", body)
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"query": "dog AND NOT (leash"}`, `{"query": "dogs, cats and fish but not birds", "nl": "auto"}`, `{"query": "a", "fusion": "centroid"}`, `{"model": "builtin", "input": ["a", "b"]}`, `{"model": "pets", "input": "\ud800", "encoding_format": "base64"}`} {
		f.Add([]byte(s))
	}
	send := fuzzServer(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		send(t, "/v1/parse", "application/json", body)
		send(t, "/v1/embeddings", "application/json", body)
	})
}

func FuzzBulk(f *testing.F) {
	for _, s := range []string{
		`{"id": "1", "text": "x"}` + "\n\n" + `{"title": "y", "metadata": {"a": [1, {"b": null}]}}`, "x\ny", `{"text": "x", "passages": ["a", "b"], "metadata": {}}`,
		`[{"id": "1", "text": "x"}, {"id": "1", "text": "y"}]`, `{"id": "\u0000", "text": "\ufffe"}`, `{"text": "x", "metadata": {"a": 1e999}}`, `{"text": "x", "metadata": {"a": 1, "a": 2, "": ""}}`,
	} {
		f.Add([]byte(s))
	}
	send := fuzzServer(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		send(t, "/v1/collections/pets/documents", "application/json", body)
		if code := send(t, "/v1/collections/pets/documents/bulk", ndjson, body); code != 200 {
			t.Fatalf("a bulk request: %d", code)
		}
	})
}

func FuzzFiles(f *testing.F) {
	contentType, body := form("notes.md", "# A\n\nb", "rows.csv", "id,text\n1,x\n")
	f.Add(contentType, body.Bytes())
	f.Add("multipart/form-data; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=f; filename=\"../a.txt\"\r\n\r\ntext\r\n--x--"))
	f.Add("multipart/form-data; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=f; filename=a.jsonl.gz\r\n\r\ntext"))
	send := fuzzServer(f)
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		send(t, "/v1/collections/pets/files", contentType, body)
	})
}
