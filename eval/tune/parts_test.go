package tune

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

func TestFit(t *testing.T) {
	// Every z and score twice, relevant and not, in the shares of the model: the most
	// likely coefficients are its own, unless one of them is negative.
	for _, want := range []profile.Logistic{{Intercept: -4.5, Slope: 1.25}, {Intercept: -3, Slope: 0.5, Score: 2}, {Intercept: -3, Slope: 0.5, Score: -2}, {Intercept: -2, Slope: 0.5, Score: 1, Length: -1}} {
		var observed []observation
		for z := -3.0; z < 8; z += 0.25 {
			for s := 0.0; s < 2; s += 0.25 {
				for length := range 3 {
					x := features{1, z, s, 2 * float64(length)}
					p := want.Of(z, s, x[3])
					observed = append(observed, observation{x, true, 10 * p}, observation{x, false, 10 * (1 - p)})
				}
			}
		}
		got, err := fit(observed)
		if want.Score < 0 {
			if err != nil || got.Score != 0 || !(got.Slope > 0) {
				t.Errorf("negative coefficient of the score: got %+v, %v, want 0", got, err)
			}
			continue
		}
		if err != nil || math.Abs(got.Intercept-want.Intercept) > 1e-3 || math.Abs(got.Slope-want.Slope) > 1e-3 || math.Abs(got.Score-want.Score) > 1e-3 || math.Abs(got.Length-want.Length) > 1e-3 {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	// Data that a threshold separates has no finite fit without the penalty.
	got, err := fit([]observation{{features{1, 0}, false, 1}, {features{1, 1}, false, 1}, {features{1, 2}, true, 1}, {features{1, 3}, true, 1}})
	if err != nil || !(got.Slope > 5 && got.Slope < 1000) || math.Abs(-got.Intercept/got.Slope-1.5) > 0.01 {
		t.Errorf("separated: got %+v, %v", got, err)
	}
	for _, relevant := range []bool{false, true} {
		if _, err := fit([]observation{{features{1, 1}, relevant, 1}, {features{1, 2}, relevant, 1}}); err == nil {
			t.Errorf("relevant %v for all: got no error", relevant)
		}
	}
}

func TestSpread(t *testing.T) {
	var queries []sets.Query
	for i := range 60 {
		template := "A AND B"
		if i%3 == 0 {
			template = "A OR B"
		}
		queries = append(queries, sets.Query{ID: fmt.Sprint(i), Template: template})
	}
	for _, n := range []int{6, 30, 59} {
		got := Spread(queries, n)
		count := map[string]int{}
		last := -1
		for _, q := range got {
			count[q.Template]++
			var i int
			if fmt.Sscan(q.ID, &i); i <= last {
				t.Errorf("%d: got %s out of order", n, q.ID)
			}
			last = i
		}
		if or := int(math.Round(float64(n) / 3)); count["A OR B"] != or || len(got)-count["A OR B"] != int(math.Round(float64(n)*2/3)) {
			t.Errorf("%d queries: got %v", n, count)
		}
	}
	if got := Spread(queries, 6); got[len(got)-1].ID < "50" { // the last of each part
		t.Errorf("got %v as the last of 6, want one of the last ten", got[len(got)-1].ID)
	}
	for _, n := range []int{0, 60, 100} {
		if got := Spread(queries, n); len(got) != 60 {
			t.Errorf("%d: got %d queries, want 60", n, len(got))
		}
	}
}

// small returns questions of two sets, with two templates and one.
func small() *run {
	r := &run{names: []string{"a", "b"}}
	for i, template := range []string{"A AND B", "A AND B", "A OR B", "A AND B", "A AND B", "A AND B"} {
		r.questions = append(r.questions, question{set: i / 3, template: template, own: []float64{1, 3, 10, 4, 5, 9}[i]})
	}
	return r
}

func TestWeights(t *testing.T) {
	r := small()
	got := r.weights([]int{0, 1, 2, 3, 4, 5})
	for i, want := range []float64{1. / 8, 1. / 8, 1. / 4, 1. / 6, 1. / 6, 1. / 6} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("question %d: got weight %v, want %v", i, got[i], want)
		}
	}
	own := func(q *question) float64 { return q.own }
	if got := r.mean(r.of(0), own); got != 6 { // (2 + 10)/2
		t.Errorf("set a: got mean %v, want 6", got)
	}
	if got := r.mean(r.of(1), own); got != 6 {
		t.Errorf("set b: got mean %v, want 6", got)
	}
	in, err := r.gain(r.of(0))
	if err != nil || in.Value != 6 || !(in.Low < 6 && in.High >= 6) {
		t.Errorf("got gain %+v, %v, want 6", in, err)
	}
}

func TestFolds(t *testing.T) {
	r := &run{}
	for i := range 47 {
		r.questions = append(r.questions, question{template: fmt.Sprint(i % 3)})
	}
	fold := r.deal(5, 1)
	count := map[[2]int]int{}
	for i, f := range fold {
		count[[2]int{i % 3, f}]++
	}
	for h := range 3 {
		for f := range 5 {
			if n := count[[2]int{h, f}]; n < 3 || n > 4 {
				t.Errorf("template %d, fold %d: got %d questions, want 3 or 4", h, f, n)
			}
		}
	}
	if reflect.DeepEqual(fold, r.deal(5, 2)) || !reflect.DeepEqual(fold, r.deal(5, 1)) {
		t.Error("folds do not depend on the seed alone")
	}
}

// The choices of a profile are copied, without those that equal the paper's.
func TestChoices(t *testing.T) {
	full := &profile.Profile{
		Name: "full", Hubness: 0.3, Words: 0.8, Feedback: profile.Feedback{Documents: 10},
		Calibration: &profile.Logistic{}, Evidence: []profile.Evidence{{}},
		Operators: map[profile.Kind]profile.Operator{
			profile.And:    {Logic: logic.Options{And: logic.C(1)}},
			profile.AndNot: {Fusion: fusion.Contextual, Logic: logic.Options{Not: logic.C(2)}},
		},
	}
	want := &profile.Profile{Hubness: 0.3, Words: 0.8, Operators: map[profile.Kind]profile.Operator{profile.AndNot: full.Operators[profile.AndNot]}}
	if got := choices(full); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(full.Operators) != 2 {
		t.Error("the profile itself was changed")
	}
}

// The first results of each query are judged, by their deviations from all documents.
func TestJudge(t *testing.T) {
	w := world{seed: 20, words: fruit, noise: 0.3, documents: 500, queries: 1}
	data := w.data(t, "many")
	for _, p := range []*profile.Profile{profile.Paper(), {Name: "other", Operators: map[profile.Kind]profile.Operator{profile.AndNot: {Fusion: fusion.Contextual, Logic: logic.Options{Not: logic.C(2)}}}}} {
		r := &run{config: Config{Profile: p}}
		if err := r.add(t.Context(), data); err != nil {
			t.Fatal(err)
		}
		for i, q := range r.questions {
			relevant := 0
			for k, x := range q.observed {
				if x.relevant {
					relevant++
				}
				if k > 0 && x.x[1] > q.observed[k-1].x[1] {
					t.Fatalf("question %d: got a higher score at rank %d than before", i, k+1)
				}
			}
			if first := q.observed[0].x; len(q.observed) != fittedDepth || relevant == 0 || !(first[1] > 1) || first[3] != profile.Length(1, 1) {
				t.Errorf("question %d: got %d results, %d relevant, first %v", i, len(q.observed), relevant, first)
			}
		}
	}
}
