package lab_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/vec"
)

// The second order as its formula says, and without it the order of searches.
func TestSecondOrder(t *testing.T) {
	var docs []sets.Document
	for i := range 60 {
		docs = append(docs, sets.Document{ID: fmt.Sprint(i), Passages: []string{fmt.Sprint("text ", i)}, Labels: []string{"a AND b AND c"}})
	}
	set := setOf(docs, "a AND b AND c")
	corpus, err := lab.Encode(t.Context(), &hashing{}, set, []lab.Passages{lab.Whole}, nil)
	if err != nil {
		t.Fatal(err)
	}
	weights := []float64{0, 0.5, 3}
	got, err := lab.RunSecondOrder(t.Context(), set, corpus, lab.Whole, weights)
	if err != nil {
		t.Fatal(err)
	}
	orders := map[string]bool{}
	for k, w := range weights {
		scores := map[string]float64{}
		for _, d := range docs {
			s := func(text string) float64 { return max(0, vec.Dot64(vectorOf(text), vectorOf(d.Passages[0]))) }
			a, b, c, fused := s("a"), s("b"), s("c"), s("a AND b AND c")
			first := fused + (fused - max(a, b, c))
			if fused > a+b+c {
				first = fused
			}
			scores[d.ID] = first + w*(s("a AND b")-max(a, b)+s("a AND c")-max(a, c)+s("b AND c")-max(b, c))
		}
		var want []string
		for _, d := range docs {
			want = append(want, d.ID)
		}
		slices.SortStableFunc(want, func(x, y string) int { return cmp.Compare(scores[y], scores[x]) })
		if got[k].Weight != w || !slices.Equal(got[k].Queries[0].Ranking, want) {
			t.Errorf("weight %g:\n%v\nwant\n%v", w, got[k].Queries[0].Ranking, want)
		}
		orders[strings.Join(want, " ")] = true
	}
	if len(orders) != len(weights) {
		t.Error("the weights do not change the order: the test shows nothing")
	}
	exact, err := lab.Run(t.Context(), set, corpus, lab.Config{Methods: []retrieve.Mode{retrieve.Exact}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{lab.Whole}})
	if err != nil || !slices.Equal(exact[0].Queries[0].Ranking, got[0].Queries[0].Ranking) {
		t.Errorf("with weight 0 the order is not that of searches: %v", err)
	}
}

func TestSecondOrderRefuses(t *testing.T) {
	for formula, want := range map[string]string{"a AND b": "not a conjunction of three", "a AND b AND NOT c": "not a conjunction of three", "a AND": "syntax error"} {
		set := setOf(films, formula)
		corpus, err := lab.Encode(t.Context(), &hashing{}, set, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lab.RunSecondOrder(t.Context(), set, corpus, lab.Whole, []float64{0}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", formula, err, want)
		}
		set.Queries[0].Template = "A AND B"
		if _, err := lab.RunSecondOrder(t.Context(), set, corpus, lab.Whole, []float64{0}); err == nil || !strings.Contains(err.Error(), "no queries of the template") {
			t.Errorf("without conjunctions of three: %v", err)
		}
	}
}
