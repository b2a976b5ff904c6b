package pushdown_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/logic"
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

// machine computes what a system would, of one document: all its expressions are numbers,
// names, or objects with one operation.
type machine struct {
	names map[string]float64
}

func (m *machine) eval(x any) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case string:
		v, ok := m.names[x]
		if !ok {
			panic("there is no " + x)
		}
		return v
	}
	for name, of := range x.(map[string]any) {
		list, _ := of.([]any)
		pair, _ := of.(map[string]any)
		switch name {
		case "sum":
			return m.fold(list, func(x, y float64) float64 { return x + y })
		case "mult":
			return m.fold(list, func(x, y float64) float64 { return x * y })
		case "neg":
			return -m.eval(of)
		case "abs":
			return math.Abs(m.eval(of))
		case "div":
			left, right := m.eval(pair["left"]), m.eval(pair["right"])
			if x, ok := pair["by_zero_default"]; ok && right == 0 {
				return m.eval(x)
			}
			return left / right
		case "pow":
			return math.Pow(m.eval(pair["base"]), m.eval(pair["exponent"]))
		}
	}
	panic(fmt.Sprintf("no operation: %v", x))
}

func (m *machine) fold(list []any, two func(x, y float64) float64) float64 {
	out := m.eval(list[0])
	for _, x := range list[1:] {
		out = two(out, m.eval(x))
	}
	return out
}

// each compares a target with Eval on templates and random formulas. score makes the score
// of a document of what was written: the parameters are names of its cosines and of the
// maxima.
func each(t *testing.T, write func(*pushdown.Query) (*pushdown.Output, error), score func(out *pushdown.Output, q *pushdown.Query, values map[string]float64) float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	one := func(p *logic.Program) {
		t.Helper()
		q := newQuery(t, r, p)
		q.Names = pushdown.Names{Table: "items"}
		q.Near = [][]float32{randomVector(r)}
		out, err := write(q)
		if err != nil && strings.Contains(err.Error(), "parts, of which") {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		_, documents := columns(r, p.Formula().Terms.Len(), 6)
		maxima := q.Score.Maxima(documents)
		for _, cosines := range documents {
			values := map[string]float64{}
			next, gate := 0, 0
			for _, p := range out.Parameters {
				switch {
				case p.Type == "number":
					values[p.Name] = maxima[gate]
					gate++
				case next < len(q.Score.Terms): // then the vectors to find candidates by
					values[p.Name] = cosines[q.Score.Terms[next]]
					next++
				}
			}
			if got, want := score(out, q, values), q.Score.Eval(cosines, maxima); !(math.Abs(got-want) < 1e-9) {
				t.Fatalf("%s with %+v scores %v at %v, want %v\n%s", p.Formula().Root, p.Options(), got, cosines, want, out.Text)
			}
		}
	}
	for _, text := range templates {
		one(compiled(t, text, logic.Options{}))
		for range 2 {
			one(compiled(t, text, randomOptions(r)))
		}
	}
	for range 50 {
		one(randomProgram(t, r, 2))
	}
}

func last(out *pushdown.Output) any { return out.Requests[len(out.Requests)-1].Body }

func TestQdrant(t *testing.T) {
	each(t, pushdown.Qdrant, func(out *pushdown.Output, _ *pushdown.Query, values map[string]float64) float64 {
		body := plain(t, last(out))
		names := map[string]float64{}
		for i, p := range body["prefetch"].([]any) {
			names[fmt.Sprintf("$score[%d]", i)] = values[p.(map[string]any)["query"].(string)]
		}
		asked := body["query"].(map[string]any)
		for name, parameter := range asked["defaults"].(map[string]any) {
			names[name] = values[parameter.(string)]
		}
		return (&machine{names: names}).eval(asked["formula"])
	})
}

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
			t.Fatalf("%s", source)
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
