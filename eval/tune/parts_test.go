package tune

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

func TestFit(t *testing.T) {
	// Every score and length twice, relevant and not, in the shares of the model: the most likely
	// coefficients are its own.
	for _, want := range []profile.Logistic{{Intercept: -4.5, Score: 1.25}, {Intercept: -3, Score: 2, Length: 0.5}, {Intercept: -2, Score: 3, Length: -1}} {
		var observed []observation
		for s := -1.0; s < 3; s += 0.25 {
			for length := range 3 {
				x := features{1, s, 2 * float64(length)}
				p := want.Of(s, x[2])
				observed = append(observed, observation{x, true, 10 * p}, observation{x, false, 10 * (1 - p)})
			}
		}
		got, err := fit(observed)
		if err != nil || math.Abs(got.Intercept-want.Intercept) > 1e-3 || math.Abs(got.Score-want.Score) > 1e-3 || math.Abs(got.Length-want.Length) > 1e-3 {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	// What a threshold separates has no finite fit but for the ridge.
	got, err := fit([]observation{{features{1, 0}, false, 1}, {features{1, 1}, false, 1}, {features{1, 2}, true, 1}, {features{1, 3}, true, 1}})
	if err != nil || !(got.Score > 5 && got.Score < 1000) || math.Abs(-got.Intercept/got.Score-1.5) > 0.01 {
		t.Errorf("separated: got %+v, %v", got, err)
	}
	for _, relevant := range []bool{false, true} {
		if _, err := fit([]observation{{features{1, 1}, relevant, 1}, {features{1, 2}, relevant, 1}}); err == nil {
			t.Errorf("got no error where all documents have relevance %v", relevant)
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
			t.Errorf("%d queries: got %v, want a third of them A OR B", n, count)
		}
	}
	if got := Spread(queries, 6); got[len(got)-1].ID < "50" { // the last of each part
		t.Errorf("not spread: %v", got[len(got)-1].ID)
	}
	for _, n := range []int{0, 60, 100} {
		if got := Spread(queries, n); len(got) != 60 {
			t.Errorf("%d: %d queries", n, len(got))
		}
	}
}

// small is a bench of two sets with two templates and one, of values.
func small() (*bench, []float64) {
	b := &bench{
		places: make([]place, 2),
		strata: []stratum{{"A AND B", 0}, {"A OR B", 0}, {"A AND B", 1}},
	}
	for _, h := range []int{0, 0, 1, 2, 2, 2} {
		b.questions = append(b.questions, question{stratum: h, set: b.strata[h].set, known: map[choice]float64{}})
	}
	return b, []float64{1, 3, 10, 4, 5, 9}
}

func TestMean(t *testing.T) {
	b, values := small()
	mean, deviation := b.mean(values, b.all())
	// Sets have (2 + 10)/2 and 6. Variances of the means of strata: 1, none, 7/3.
	if want := math.Sqrt(1./16 + 7./12); mean != 6 || math.Abs(deviation-want) > 1e-12 {
		t.Errorf("%v ± %v, want 6 ± %v", mean, deviation, want)
	}
	rows := b.those(func(q *question) bool { return b.strata[q.stratum].template == "A AND B" })
	if mean, _ := b.mean(values, rows); mean != 4 {
		t.Errorf("of one template: %v, want 4", mean)
	}
	in, err := b.interval(make([]float64, len(values)), values, b.all(), 1)
	if err != nil || math.Abs(in.Value-6) > 1e-12 || !(in.Low < 6 && in.High > 6) {
		t.Errorf("got interval %+v and error %v, want one around 6", in, err)
	}
}

// A change is taken where it gains more than its standard error, and the best one.
func TestStep(t *testing.T) {
	for name, c := range map[string]struct {
		gains map[float64][]float64 // by hubness, of each question
		want  float64
	}{
		"too uncertain":  {map[float64][]float64{0.3: {0.1, -0.09, 0, 0.1, -0.1, 0.01}, 0.5: {0, 0, 0, 0, 0, 0}}, 0},
		"certain":        {map[float64][]float64{0.3: {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 0.5: {0, 0, 0, 0, 0, 0}}, 0.3},
		"the best":       {map[float64][]float64{0.3: {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 0.5: {0.2, 0.2, 0.2, 0.2, 0.2, 0.2}}, 0.5},
		"the sure one":   {map[float64][]float64{0.3: {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 0.5: {2, -1, 0, 2, 2, -3}}, 0.3},
		"nothing at all": {map[float64][]float64{0.3: {0, 0, 0, 0, 0, 0}, 0.5: {0, 0, 0, 0, 0, 0}}, 0},
	} {
		b, _ := small()
		for i := range b.questions {
			for hubness, gains := range c.gains {
				b.questions[i].known[choice{hubness: hubness}] = 0.5 + gains[i]
			}
			b.questions[i].known[choice{}] = 0.5
		}
		for _, change := range (choice{}).changes() { // nothing else gains
			for i := range b.questions {
				if _, known := b.questions[i].known[change]; !known {
					b.questions[i].known[change] = 0.5
				}
			}
		}
		if got := b.step(choice{}, b.all()); got != (choice{hubness: c.want}) {
			t.Errorf("%s: got %v, want hubness %v", name, got, c.want)
		}
	}
}

func TestFolds(t *testing.T) {
	b := &bench{places: make([]place, 1), strata: make([]stratum, 3)}
	for i := range 47 {
		b.questions = append(b.questions, question{stratum: i % 3})
	}
	fold := b.folds(5, 1)
	count := map[[2]int]int{}
	for i, f := range fold {
		count[[2]int{i % 3, f}]++
	}
	for h := range 3 {
		for f := range 5 {
			if n := count[[2]int{h, f}]; n < 3 || n > 4 {
				t.Errorf("stratum %d: got %d in fold %d, want 3 or 4", h, n, f)
			}
		}
	}
	if reflect.DeepEqual(fold, b.folds(5, 2)) || !reflect.DeepEqual(fold, b.folds(5, 1)) {
		t.Error("folds do not go by the seed")
	}
	trainings := b.trainings(fold, 5)
	if len(trainings) != 6 || len(trainings[0]) != 47 {
		t.Fatalf("got %d trainings, want 6, the first of all 47 questions", len(trainings))
	}
	for f, rows := range trainings[1:] {
		for _, i := range rows {
			if fold[i] == f {
				t.Fatalf("got question %d in fold %d and in its training, want it in one of them", i, f)
			}
		}
	}
}

// Every change makes a profile that can be used, kept and found again, and that is like no
// other.
func TestChanges(t *testing.T) {
	full := &profile.Profile{Name: "full", Hubness: 0.3, Feedback: profile.Feedback{Documents: 10, Weight: 0.5}, Spread: 0.1}
	for _, profileOf := range []*profile.Profile{profile.Paper(), full} {
		b, start := bench{start: profileOf}, choiceOf(profileOf)
		seen := map[choice]bool{start: true}
		for _, c := range start.changes() {
			p := b.profile(c)
			back, err := profile.Read(strings.NewReader(p.String()))
			if err != nil || choiceOf(back) != c || back.Spread != profileOf.Spread {
				t.Errorf("%s: got %v, read back as %s", c, err, back)
			}
			if seen[c] {
				t.Errorf("%s: got it twice, or unchanged", c)
			}
			seen[c] = true
		}
	}
}

// The first documents of each ranking are judged, by their scores.
func TestJudge(t *testing.T) {
	w := world{seed: 20, words: fruit, noise: 0.3, documents: 500, queries: 1}
	data := w.data(t, "many")
	for _, p := range []*profile.Profile{profile.Paper(), {Name: "operators", Operators: map[profile.Kind]profile.Operator{profile.AndNot: {Fusion: fusion.Contextual, Logic: logic.Options{Not: logic.C(2)}}}}} {
		b, err := newBench(t.Context(), []Data{data}, lab.Whole, p)
		if err != nil {
			t.Fatal(err)
		}
		observed, err := b.judgements(t.Context(), choiceOf(p))
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range observed {
			relevant := 0
			for k, x := range o {
				if x.relevant {
					relevant++
				}
				if k > 0 && x.x[1] > o[k-1].x[1] {
					t.Fatalf("question %d: got scores that rise, want the best first", i)
				}
			}
			if len(o) != shownDepth || relevant == 0 || !(o[0].x[1] > 0) || o[0].x[2] != profile.Length(1, 1) {
				t.Errorf("question %d: got %d documents, %d of them relevant, the first with %v; want the best of each ranking", i, len(o), relevant, o[0].x)
			}
		}
	}
}
