package lab_test

import (
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/vec"
)

// scattered encodes every text as a different vector, drawn from its bytes.
type scattered struct{}

func (scattered) Identity() encoder.Identity {
	return encoder.Identity{Name: "scattered", Dimension: 8}
}

func (scattered) Encode(_ context.Context, _ encoder.Role, texts []string) (encoder.Encoded, error) {
	out := encoder.Encoded{Cut: make([]bool, len(texts))}
	for _, text := range texts {
		h := fnv.New64a()
		h.Write([]byte(text))
		random := rand.New(rand.NewPCG(h.Sum64(), 0))
		v := make([]float32, 8)
		for i := range v {
			v[i] = float32(random.NormFloat64() + 1)
		}
		if err := vec.Normalize(v); err != nil {
			return out, err
		}
		out.Vectors = append(out.Vectors, v)
	}
	return out, nil
}

// An order equals the ranking that an experiment measures, but contains all documents,
// under each of the options.
func TestOrders(t *testing.T) {
	ctx := context.Background()
	set, err := sets.OpenLogic("../sets/testdata/animals", "dev")
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := lab.Encode(ctx, scattered{}, set, []lab.Passages{lab.Whole}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var formulas []string
	for _, q := range set.Queries {
		formulas = append(formulas, q.Formula)
	}
	all := []retrieve.Options{{}, {Research: retrieve.Research{Logic: &logic.Options{Not: logic.C(0), And: logic.C(5)}}}}
	for _, mode := range []retrieve.Mode{retrieve.Exact, retrieve.Hybrid} {
		var mu sync.Mutex
		got := make([][]lab.Order, len(formulas))
		done := 0
		err := lab.Orders(ctx, corpus, formulas, lab.OrderConfig{Method: mode, Options: all, Progress: func(n, total int) {
			mu.Lock()
			defer mu.Unlock()
			if done = max(done, n); total != len(formulas) {
				t.Errorf("got a total of %d formulas, want %d", total, len(formulas))
			}
		}}, func(i int, orders []lab.Order) { got[i] = orders })
		if err != nil {
			t.Fatal(err)
		}
		if done != len(formulas) {
			t.Errorf("progress ended with %d", done)
		}
		differ := false
		for k, o := range all {
			outcomes, err := lab.Run(ctx, set, corpus, lab.Config{Methods: []retrieve.Mode{mode}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{lab.Whole}, Options: o})
			if err != nil {
				t.Fatal(err)
			}
			for i, q := range outcomes[0].Queries {
				var ids []string
				for at, d := range got[i][k].Documents {
					ids = append(ids, corpus.IDs[d])
					if at > 0 && got[i][k].Scores[at] > got[i][k].Scores[at-1] {
						t.Errorf("%s, %s: the scores rise at %d", mode, formulas[i], at)
					}
				}
				if have, want := strings.Join(ids, " "), strings.Join(q.Ranking, " "); have != want || len(ids) != len(corpus.IDs) {
					t.Errorf("%s, options %d, %s: got %s, want %s as in an experiment", mode, k, formulas[i], have, want)
				}
				differ = differ || got[i][k].Scores[0] != got[i][0].Scores[0]
			}
		}
		if !differ {
			t.Errorf("%s: the options change nothing", mode)
		}
	}
}

func TestOrdersRefuses(t *testing.T) {
	set, err := sets.OpenLogic("../sets/testdata/animals", "dev")
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := lab.Encode(context.Background(), scattered{}, set, []lab.Passages{lab.Whole}, nil)
	if err != nil {
		t.Fatal(err)
	}
	use := func(int, []lab.Order) { t.Error("use was called") }
	config := lab.OrderConfig{Method: retrieve.Exact, Options: []retrieve.Options{{}}}
	for _, c := range []struct {
		formula string
		config  lab.OrderConfig
		want    string
	}{
		{"dog", lab.OrderConfig{Method: retrieve.Exact}, "no options given"},
		{"dog AND", config, "query 1 (dog AND)"},
		{"dog year:2000", config, "experiments do not support the predicate"},
	} {
		if err := lab.Orders(context.Background(), corpus, []string{c.formula}, c.config, use); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.formula, err, c.want)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if err := lab.Orders(done, corpus, []string{"dog"}, config, use); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: got error %v", err)
	}
}
