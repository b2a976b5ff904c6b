package pushdown_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/internal/testserver"
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

func TestOpenSearch(t *testing.T) {
	address := os.Getenv("NSFL_TEST_OPENSEARCH")
	if address == "" {
		t.Skip("needs OpenSearch with its k-NN plugin, at the address in NSFL_TEST_OPENSEARCH")
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

func TestQdrantEngine(t *testing.T) {
	dir, err := testserver.Installed("NSFL_QDRANT", "qdrant")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "qdrant_edge")); err != nil {
		t.Skip("needs Qdrant's engine in .cache/qdrant, which make setup installs")
	}
	cmd := exec.CommandContext(t.Context(), "python3", "testdata/qdrant.py")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait() // the test has failed, or all is read
	defer in.Close()
	answers := bufio.NewReader(stdout)
	send := func(x any) {
		t.Helper()
		if err := json.NewEncoder(in).Encode(x); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(12, 12))
	b := points(r)
	stored := map[string][]float32{}
	for id, v := range b.rows {
		stored[strconv.FormatInt(id, 10)] = v
	}
	send(stored)
	asked(t, r, "", func(q *pushdown.Query) {
		if len(q.Near) == 0 {
			q.Near = [][]float32{randomVector(r)}
		}
		out, err := pushdown.Qdrant(q)
		if err != nil && strings.Contains(err.Error(), "parts, of which") {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		b.pose(t, q, out, func(r *pushdown.Request) map[string]float64 {
			send(r.Body)
			line, err := answers.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			scores := map[string]float64{}
			if err := json.Unmarshal(line, &scores); err != nil {
				t.Fatal(err)
			}
			return scores
		})
	})
}
