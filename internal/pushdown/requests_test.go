package pushdown_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/pushdown"
)

// plain is JSON as it would be sent.
func plain(t testing.TB, body any) map[string]any {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func last(out *pushdown.Output) any { return out.Requests[len(out.Requests)-1].Body }

// TestPainless: each value is one whole statement, and the offset keeps scores at 0 or
// above. The numbers are compared by TestOpenSearch.
func TestPainless(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for range 300 {
		p := randomProgram(t, r, 2)
		q := newQuery(t, r, p)
		q.Names = pushdown.Names{Table: "items"}
		out, err := pushdown.OpenSearch(q)
		if err != nil {
			t.Fatal(err)
		}
		source := plain(t, last(out))["query"].(map[string]any)["script_score"].(map[string]any)["script"].(map[string]any)["source"].(string)
		statements := strings.Split(strings.TrimSuffix(source, ";"), "; ")
		if len(statements) != len(q.Score.Values)+1 || !strings.HasPrefix(statements[len(statements)-1], "return Math.max(0, ") {
			t.Fatalf("got the script %s, want a statement for each value and a return", source)
		}
		_, documents := columns(r, p.Formula().Terms.Len(), 6)
		maxima := q.Score.Maxima(documents)
		for _, cosines := range documents {
			if score := q.Score.Eval(cosines, maxima); score+out.Offset < -1e-12 {
				t.Fatalf("%s scores %v, and the offset is %v", p.Formula().Root, score, out.Offset)
			}
		}
	}
}
