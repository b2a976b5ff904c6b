package pushdown_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"testing"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/logic"
)

// points are documents, for systems other than PostgreSQL.
func points(r *rand.Rand) *bed {
	b := &bed{rows: map[int64][]float32{}, year: map[int64]float64{}}
	for id := range int64(60) {
		b.rows[id], b.year[id] = randomVector(r), float64(1990+id)
		if id%7 == 0 {
			b.year[id] = math.NaN()
		}
	}
	return b
}

// pose makes the requests one after the other, the answers to which are maxima, and
// compares the last answer with Eval. send answers with scores by document.
func (b *bed) pose(t *testing.T, q *pushdown.Query, out *pushdown.Output, send func(r *pushdown.Request) map[string]float64) {
	t.Helper()
	filled := map[string]float64{}
	for i := range out.Requests {
		r := out.Requests[i]
		r.Body = fill(plain(t, r.Body), filled)
		got := send(&r)
		if i < len(out.Requests)-1 {
			top := 0.0
			for _, score := range got {
				top = max(top, score)
			}
			filled[out.Parameters[i].Name] = top
			continue
		}
		want := b.want(q)
		if len(got) != len(want) {
			t.Fatalf("%d documents, want %d\n%s", len(got), len(want), out.Text)
		}
		for id, score := range want {
			if x, ok := got[fmt.Sprint(id)]; !ok || !(math.Abs(x-out.Offset-score) < 1e-5) {
				t.Fatalf("document %d scores %v, want %v: %s\n%s", id, x-out.Offset, score, q.Score.Formula.Root, out.Text)
			}
		}
	}
}

// fill puts values in the places of parameters.
func fill(x any, values map[string]float64) any {
	switch x := x.(type) {
	case map[string]any:
		for name, y := range x {
			x[name] = fill(y, values)
		}
	case []any:
		for i, y := range x {
			x[i] = fill(y, values)
		}
	case string:
		if v, ok := values[x]; ok {
			return v
		}
	}
	return x
}

// asked are queries for a system: all templates, and random formulas.
func asked(t *testing.T, r *rand.Rand, filter string, one func(q *pushdown.Query)) {
	run := func(p *logic.Program) {
		q := newQuery(t, r, p)
		q.Names, q.Inline = pushdown.Names{Table: "nsfl-test"}, true
		for j := range r.IntN(3) {
			q.Near, q.Candidates = append(q.Near, randomVector(r)), 10+j
		}
		one(q)
	}
	for _, text := range templates {
		run(compiled(t, text, logic.Options{}))
		run(compiled(t, "("+text+") "+filter, randomOptions(r)))
	}
	for range 50 {
		run(randomProgram(t, r, 2))
	}
}

// TestOpenSearch runs requests on OpenSearch with its k-NN plugin: the server at the address in
// NSFL_TEST_OPENSEARCH, or one that the test starts.
func TestOpenSearch(t *testing.T) {
	address := os.Getenv("NSFL_TEST_OPENSEARCH")
	if address == "" {
		address = startOpenSearch(t)
	}
	call := func(method, path, kind string, body []byte) []byte {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, address+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode >= 300 {
			t.Fatalf("%s %s: %v %s\n%s", method, path, err, answer.Status, text)
		}
		return text
	}
	r := rand.New(rand.NewPCG(11, 11))
	b := points(r)
	call("PUT", "/nsfl-test", "application/json", fmt.Appendf(nil, `{"settings": {"index": {"knn": true, "number_of_shards": 1}}, "mappings": {"properties": {
		"embedding": {"type": "knn_vector", "dimension": %d, "method": {"name": "hnsw", "space_type": "cosinesimil", "engine": "lucene"}}}}}`, dimension))
	t.Cleanup(func() {
		if r, err := http.NewRequest("DELETE", address+"/nsfl-test", nil); err == nil {
			if answer, err := http.DefaultClient.Do(r); err == nil {
				answer.Body.Close()
			}
		}
	})
	var bulk bytes.Buffer
	e := json.NewEncoder(&bulk)
	for id, v := range b.rows {
		document := map[string]any{"embedding": v}
		if !math.IsNaN(b.year[id]) {
			document["year"] = b.year[id]
		}
		_ = e.Encode(map[string]any{"index": map[string]any{"_id": fmt.Sprint(id)}}) // to memory
		_ = e.Encode(document)
	}
	call("POST", "/nsfl-test/_bulk?refresh=true", "application/x-ndjson", bulk.Bytes())
	asked(t, r, "AND year:>=2015", func(q *pushdown.Query) {
		q.Candidates = 100 // all, since an index may overlook some of the nearest
		out, err := pushdown.OpenSearch(q)
		if err != nil {
			t.Fatal(err)
		}
		b.pose(t, q, out, func(r *pushdown.Request) map[string]float64 {
			body, err := json.Marshal(r.Body)
			if err != nil {
				t.Fatal(err)
			}
			var answer struct {
				Hits struct {
					Hits []struct {
						ID    string  `json:"_id"`
						Score float64 `json:"_score"`
					}
				}
			}
			if err := json.Unmarshal(call(r.Method, r.Path, "application/json", body), &answer); err != nil {
				t.Fatal(err)
			}
			scores := map[string]float64{}
			for _, h := range answer.Hits.Hits {
				scores[h.ID] = h.Score
			}
			return scores
		})
	})
}
