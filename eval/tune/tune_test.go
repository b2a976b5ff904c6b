package tune

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// All queries have much in common, and some documents have much of that: what all
// share has to be taken away.
func hubs(seed uint64) world {
	return world{seed: seed, words: fruit, common: 1, noise: 0.1, documents: 200, queries: 20}
}

func TestHubnessIsFound(t *testing.T) {
	r := tuneWith(t, Config{Seed: 1}, hubs(1).data(t, "hubs"))
	if r.learned.hubness == 0 {
		t.Errorf("got no hubness, want some:\n%s", text(t, r))
	}
	e := r.mean(r.Estimates)
	if !r.Worth || !(e.OverDefault.Low > 0.02) || choiceOf(r.Profile) != r.learned {
		t.Errorf("got worth %v, gain %+v and profile %+v, want the learned one, with a gain above 0.02", r.Worth, e.OverDefault, r.Profile)
	}
	folds := 0
	for _, c := range r.Changes {
		if c.To != r.learned.String() {
			continue
		}
		if folds = c.Folds; !(c.Gain > 0.02) {
			t.Errorf("got %+v, want a gain above 0.02", c)
		}
	}
	if folds != 5 {
		t.Errorf("got %d folds that chose %s, want 5", folds, r.learned)
	}
	if e.Paper != e.Default || math.Abs(e.Learned-e.Default-e.OverDefault.Value) > 1e-12 {
		t.Errorf("got %+v, want the gain to be the difference", e)
	}
	p := r.Profile
	p.Name = "hubs"
	back, err := profile.Read(strings.NewReader(p.String()))
	if err != nil || !reflect.DeepEqual(back, p) {
		t.Errorf("reading back: got error %v and\n%s\nwant\n%s", err, p, back)
	}
	if p.Calibration == nil || len(r.Calibration.Errors) != 1 || r.Calibration.Errors[0].HeldOut > 0.15 || len(p.Evidence) != 1 || p.Evidence[0].Estimate != digits(e.Learned) || p.Evidence[0].Queries != 80 {
		t.Errorf("got the profile %s, want it calibrated, with the evidence of 80 queries", p)
	}
}

// Where rankings are perfect nothing is better.
func TestNothingHelps(t *testing.T) {
	w := world{seed: 2, words: fruit[:3], documents: 60, queries: 10}
	set := w.set(t, "plain")
	for i := range set.Queries { // everything is right
		grades := map[string]int{}
		for d := range set.Documents {
			grades[d.ID] = 1
		}
		set.Queries[i].SetGrades(grades)
	}
	start := &profile.Profile{Name: "mine", Hubness: 0.2, Operators: map[profile.Kind]profile.Operator{profile.And: {Fusion: fusion.Contextual}}}
	r := tuneWith(t, Config{Default: start}, w.encoded(t, set))
	if r.Worth || r.chosen() || choiceOf(r.Profile) != choiceOf(start) || !reflect.DeepEqual(r.Profile.Operators, start.Operators) {
		t.Errorf("got changes %+v and profile %+v, want those of the start", r.Changes, r.Profile)
	}
	if got := text(t, r); !strings.Contains(got, "does not support changing the defaults") || !strings.Contains(got, "Nothing was chosen") {
		t.Error(got)
	}
	if r.Profile.Calibration != nil || r.Calibration.Skipped == "" {
		t.Errorf("got %+v, want no probabilities where everything is relevant", r.Calibration)
	}
}

// In pure noise something looks better on the queries it was chosen by. The
// estimate must not.
func TestNoiseIsNotLearned(t *testing.T) {
	if testing.Short() {
		t.Skip("eight runs")
	}
	var seen, estimated float64
	worth := 0
	const runs = 8
	for seed := range uint64(runs) {
		r := tuneWith(t, Config{Seed: seed}, noise(t, 10+seed))
		seen += (r.Seen - r.mean(r.Estimates).Default) / runs
		estimated += r.mean(r.Estimates).OverDefault.Value / runs
		if r.Worth {
			worth++
		} else if choiceOf(r.Profile) != (choice{}) {
			t.Errorf("seed %d: got %+v, want the default, since nothing is worth it", seed, r.Profile)
		}
	}
	t.Logf("seen %+.4f, estimated %+.4f, worth %d of %d", seen, estimated, worth, runs)
	if !(seen > 0.002) || estimated > seen/3 || worth > 2 {
		t.Error("noise is believed, or there is none")
	}
}

// What nothing was learned from is not looked at: whatever a set says, what is
// learned without it stays.
func TestLeftOutIsNotSeen(t *testing.T) {
	a, b := hubs(3).data(t, "a"), noise(t, 4)
	alone := tuneWith(t, Config{}, b)
	r := tuneWith(t, Config{}, a, b)
	if len(r.LeftOut) != 3 || r.LeftOut[0].Name != "a" || r.LeftOut[2].Name != "mean" {
		t.Fatalf("left out: got %+v, want a, b and the mean", r.LeftOut)
	}
	if got := r.LeftOut[0].Choice; got != alone.learned.String() {
		t.Errorf("without a: %s, and by b alone: %s", got, alone.learned.String())
	}
	bench, err := newBench(t.Context(), []Data{a}, lab.Whole, profile.Paper())
	if err != nil {
		t.Fatal(err)
	}
	if err := bench.measure(t.Context(), alone.learned); err != nil {
		t.Fatal(err)
	}
	want, _ := bench.mean(bench.values(alone.learned), bench.all())
	if got := r.LeftOut[0].Learned; math.Abs(got-want) > 1e-12 {
		t.Errorf("a is measured at %v by what was learned without it; what b alone teaches gives %v", got, want)
	}
}

func TestSameSeedSameResult(t *testing.T) {
	w := hubs(5)
	first := tuneWith(t, Config{Seed: 7}, w.data(t, "hubs"))
	again := tuneWith(t, Config{Seed: 7}, w.data(t, "hubs"))
	if text(t, first) != text(t, again) || first.Profile.String() != again.Profile.String() {
		t.Errorf("got two results of the same seed, want one:\n%s\n%s", text(t, first), text(t, again))
	}
	other := tuneWith(t, Config{Seed: 8}, w.data(t, "hubs"))
	if reflect.DeepEqual(first.mean(first.Estimates), other.mean(other.Estimates)) {
		t.Error("another seed gives the same interval")
	}
}

// The best on the queries at hand is taken by force, and said to be no evidence.
func TestForce(t *testing.T) {
	r := tuneWith(t, Config{Force: true}, noise(t, 10))
	if r.Worth || !r.chosen() || choiceOf(r.Profile) != r.learned {
		t.Fatalf("got worth %v and profile %+v, want what was learned, though it is not worth it", r.Worth, r.Profile)
	}
	if got := text(t, r); !strings.Contains(got, "does not support changing the defaults: ") || !strings.Contains(got, "because of --force") {
		t.Error(got)
	}
}

// Profiles are measured as searches by them are.
func TestMeasuresWhatSearchDoes(t *testing.T) {
	data := hubs(6).data(t, "hubs")
	profiles := map[string]*profile.Profile{
		"paper":   profile.Paper(),
		"refined": {Name: "refined", Hubness: 0.3, Feedback: profile.Feedback{Documents: 5, Weight: 0.5}},
		"operators": {Name: "operators", Hubness: 0.5, Operators: map[profile.Kind]profile.Operator{
			profile.And:       {Fusion: fusion.Contextual, Logic: logic.Options{And: logic.C(0.5)}},
			profile.AndNot:    {Logic: logic.Options{Not: logic.C(2), NoFloor: logic.NotFloor}},
			profile.AndAndNot: {Logic: logic.Options{Gate: logic.Gate{Kind: logic.Ungated}, GateCap: 0.5}},
			profile.Or:        {Fusion: fusion.Contextual, Logic: logic.Options{NoFloor: logic.OrFloor}},
		}},
	}
	for name, p := range profiles {
		b, err := newBench(t.Context(), []Data{data}, lab.Whole, p)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.measure(t.Context(), choiceOf(p)); err != nil {
			t.Fatal(err)
		}
		outcomes, err := lab.Run(t.Context(), data.Set, data.Corpus, lab.Config{
			Methods: []retrieve.Mode{retrieve.Exact}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{lab.Whole},
			Options: retrieve.Options{Profile: p},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range b.values(choiceOf(p)) {
			if want := outcomes[0].Queries[i].AP; v != want {
				t.Errorf("%s, query %s: %v, a search has %v", name, data.Set.Queries[i].ID, v, want)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	w := world{seed: 9, words: fruit, noise: 0.1, documents: 20, queries: 2}
	data := w.data(t, "small")
	empty := Data{Set: &sets.Set{Name: "empty"}, Corpus: data.Corpus}
	for want, run := range map[string]func() error{
		"no set": func() error { _, err := Run(t.Context(), nil, Config{}); return err },
		"9 folds of 8 queries": func() error {
			_, err := Run(t.Context(), []Data{data}, Config{Folds: 9})
			return err
		},
		"empty: no queries to learn from": func() error { _, err := Run(t.Context(), []Data{empty}, Config{}); return err },
		"no passage vectors":              func() error { _, err := Run(t.Context(), []Data{data}, Config{Passages: lab.MeanMax}); return err },
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, []Data{data}, Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}
