package tune

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// hubs is a world in which all queries, and some documents, have much in common.
func hubs(seed uint64) world {
	return world{seed: seed, words: fruit, common: 1, noise: 0.1, documents: 200, queries: 20}
}

// The calibration is accurate on queries that took no part in it, and the evidence has the
// figures of a search.
func TestCalibration(t *testing.T) {
	data := hubs(1).data(t, "hubs")
	given := &profile.Profile{Name: "given", Hubness: 0.3}
	r := tuneWith(t, Config{Seed: 1, Profile: given}, data)
	p := r.Profile
	if p.Calibration == nil || len(r.Calibration.Errors) != 1 || r.Calibration.Errors[0].HeldOut > 0.15 || r.Calibration.Errors[0].LeftOut != 0 {
		t.Errorf("got calibration %+v", r.Calibration)
	}
	p.Name = "hubs"
	back, err := profile.Read(strings.NewReader(p.String()))
	if err != nil || !reflect.DeepEqual(back, p) {
		t.Errorf("got %s, %v, want %s", back, err, p)
	}
	if len(p.Evidence) != 1 || p.Evidence[0].Queries != 80 {
		t.Fatalf("got evidence %+v, want one set of 80 queries", p.Evidence)
	}
	for _, c := range []struct {
		mode    retrieve.Mode
		profile *profile.Profile
		got     float64
	}{
		{retrieve.Baseline, nil, p.Evidence[0].Baseline},
		{retrieve.Exact, profile.Paper(), p.Evidence[0].Paper},
		{retrieve.Exact, given, p.Evidence[0].Estimate},
	} {
		outcomes, err := lab.Run(t.Context(), data.Set, data.Corpus, lab.Config{
			Methods: []retrieve.Mode{c.mode}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{lab.Whole},
			Options: retrieve.Options{Profile: c.profile},
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := digits(lab.Summarize(outcomes[0]).MAP); c.got != want {
			t.Errorf("%s: got %v, want %v", c.mode, c.got, want)
		}
	}
}

// With several sets, each is also measured by a fit to the others.
func TestSeveralSets(t *testing.T) {
	done := 0
	r := tuneWith(t, Config{Progress: func(n, total int) {
		if done = max(done, n); total != 3*160 {
			t.Errorf("got %d rankings in total, want %d", total, 3*160)
		}
	}}, hubs(3).data(t, "a"), hubs(4).data(t, "b"))
	if done != 3*160 {
		t.Errorf("got %d rankings done, want %d", done, 3*160)
	}
	if len(r.Calibration.Errors) != 2 || r.Calibration.Errors[0].LeftOut == 0 || r.Calibration.Errors[0].LeftOut == r.Calibration.Errors[0].HeldOut {
		t.Errorf("got errors %+v", r.Calibration.Errors)
	}
	if got := text(t, r); !strings.Contains(got, "error, set left out") {
		t.Errorf("got no column for sets left out:\n%s", got)
	}
}

// If all documents are relevant, there is nothing to fit.
func TestSkipped(t *testing.T) {
	w := world{seed: 2, words: fruit[:3], documents: 60, queries: 10}
	set := w.set(t, "plain")
	for i := range set.Queries {
		grades := map[string]int{}
		for d := range set.Documents {
			grades[d.ID] = 1
		}
		set.Queries[i].SetGrades(grades)
	}
	r := tuneWith(t, Config{}, w.encoded(t, set))
	if r.Profile.Calibration != nil || r.Calibration.Skipped == "" || !strings.Contains(text(t, r), "No probabilities: all documents are relevant") {
		t.Errorf("got calibration %+v", r.Calibration)
	}
}

func TestSameSeedSameResult(t *testing.T) {
	w := hubs(5)
	first := tuneWith(t, Config{Seed: 7}, w.data(t, "hubs"))
	again := tuneWith(t, Config{Seed: 7}, w.data(t, "hubs"))
	if text(t, first) != text(t, again) || first.Profile.String() != again.Profile.String() {
		t.Errorf("two runs differ:\n%s\n%s", text(t, first), text(t, again))
	}
	other := tuneWith(t, Config{Seed: 8}, w.data(t, "hubs"))
	if reflect.DeepEqual(first.Calibration.Errors, other.Calibration.Errors) {
		t.Error("another seed gives the same folds")
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
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, []Data{data}, Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
}
