package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// TestOptionsAreChecked: options out of range are mistakes in the command line.
func TestOptionsAreChecked(t *testing.T) {
	for want, args := range map[string][]string{
		"clamp, affine, raw":              {"eval", "--similarity", "cosine"},
		"it is one of and, not, or":       {"eval", "--no-floors=some"},
		"the gate's cap is 1.5":           {"eval", "--gate-cap", "1.5"},
		"the coefficient of NOT is 1000":  {"eval", "--c-not", "1000"},
		"the least probability is 2":      {"search", "--demo", "--min-probability", "2", "dog"},
		"there is no profile \"nowhere\"": {"search", "--demo", "--profile", "nowhere", "dog"},
	} {
		if code, out, errs := cli("", args...); code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%q: got code %d, %q, %q, want %q", args, code, out, errs, want)
		}
	}
}

// written is a profile as a file.
func written(t *testing.T, p *profile.Profile) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "profile.json")
	if err := os.WriteFile(file, []byte(p.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestProfileFile: the operators of a profile in a file rank the results.
func TestProfileFile(t *testing.T) {
	p := profile.Paper()
	p.Name = "loud"
	p.Operators = map[profile.Kind]profile.Operator{profile.AndNot: {Logic: logic.Options{Not: logic.C(50), NoFloor: logic.NotFloor}}}
	file := written(t, p)
	const formula = "dog AND NOT ball"
	search := func(args ...string) retrieve.Result {
		return answerOf(t, append([]string{"search", "--demo", formula}, args...)...)
	}
	paper := search("--profile", "paper")
	if a := search("--profile", file); a.Mode != paper.Mode || slices.Equal(ids(a), ids(paper)) {
		t.Errorf("by the profile: mode %s, %v", a.Mode, ids(a))
	}
}

// TestMinProbability: with a calibrated profile results have probabilities, and the
// improbable ones can be left out.
func TestMinProbability(t *testing.T) {
	p := profile.Paper()
	p.Name = "calibrated"
	p.Calibration = &profile.Logistic{Intercept: -2, Score: 5}
	file := written(t, p)
	args := []string{"search", "--demo", "--profile", file, "-k", "20", "dog AND NOT ball"}
	all := answerOf(t, args...)
	if len(all.Hits) != 20 || all.LeftOut != 0 || !(all.Hits[0].Probability > 0.5 && all.Hits[19].Probability < all.Hits[0].Probability) {
		t.Fatalf("%d hits, from %v to %v", len(all.Hits), all.Hits[0].Probability, all.Hits[19].Probability)
	}
	least := all.Hits[7].Probability
	some := answerOf(t, append(args, "--min-probability", jsonOf(t, least))...)
	if some.LeftOut != 12 || !slices.Equal(ids(some), ids(all)[:8]) || len(some.Notes) != 1 {
		t.Errorf("with %v at least: %d left out, %d hits, %q", least, some.LeftOut, len(some.Hits), some.Notes)
	}
	out := must(t, append(args, "--min-probability", "1")...)
	if !strings.Contains(out, "20 of the best 20 are hidden") || !strings.Contains(out, "nothing found") {
		t.Errorf("with 1 at least:\n%s", out)
	}
	code, _, errs := cli("", "search", "--demo", "--profile", "paper", "--min-probability", "0.5", "dog")
	if code != exitFailed || !strings.Contains(errs, "nsfl tune") {
		t.Errorf("without a calibration: code %d, %s", code, errs)
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInfoProfile: a collection is described with the profile that it is searched by.
func TestInfoProfile(t *testing.T) {
	col := filepath.Join(t.TempDir(), "c")
	must(t, "index", tree(t, map[string]string{"a.md": "A page."}), "-c", col)
	note := func(text string) {
		t.Helper()
		store, err := (&collectionFlags{collection: col}).openStore(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		if err := store.SetNotes(t.Context(), map[string]string{nsfl.ProfileNote: text}); err != nil {
			t.Fatal(err)
		}
	}
	says := func(words, name, problem string) {
		t.Helper()
		if out := must(t, "info", "-c", col); !strings.Contains(out, words) {
			t.Errorf("there is no %q in\n%s", words, out)
		}
		var d struct {
			Profile string
			Problem string `json:"profile_problem"`
		}
		if err := json.Unmarshal([]byte(must(t, "info", "-c", col, "--json")), &d); err != nil {
			t.Fatal(err)
		}
		if d.Profile != name || !strings.Contains(d.Problem, problem) || (d.Problem == "") != (problem == "") {
			t.Errorf("as JSON: profile %q, problem %q, want %q and %q", d.Profile, d.Problem, name, problem)
		}
	}
	shipped := profile.Builtin().Name
	says("profile     "+shipped+"\n", shipped, "")
	note(`{"name": "mine"}`)
	says("profile     mine\n", "mine", "")
	note(`{"name": "mine", "hubness": 7}`)
	says("profile     cannot be used (", "", "hubness is 7")
	if p, err := nsfl.ProfileOf(nil, "a store of another maker"); err != nil || p.Name != "general-2" {
		t.Errorf("an unknown encoder: %v, %v", p, err)
	}
}
