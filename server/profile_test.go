package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

// withProfile has the collection pets, with a profile of its own, and so many documents
// more: among a few, scores tell nothing of probabilities.
func withProfile(t *testing.T, p *profile.Profile, more int) *api {
	t.Helper()
	root := t.TempDir()
	c, err := nsfl.Open(t.Context(), filepath.Join(root, "pets"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var docs []nsfl.Document
	if err := json.Unmarshal([]byte(animals), &docs); err != nil {
		t.Fatal(err)
	}
	for i := range more {
		docs = append(docs, nsfl.Document{ID: fmt.Sprintf("bill-%d", i), Text: fmt.Sprintf("Bill %d for electricity, to be paid by the end of the month.", i)})
	}
	if err := c.Add(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
	if err := c.Store().SetNotes(t.Context(), map[string]string{nsfl.ProfileNote: p.String()}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return start(t, Config{Root: root})
}

// calibrated moves vectors, and makes probabilities of scores.
var calibrated = &profile.Profile{
	Name: "mine", Hubness: 0.3,
	Calibration: &profile.Logistic{Intercept: -3, Score: 10},
}

func probabilities(answer map[string]any) (out []float64) {
	for i := range ids(answer) {
		p, _ := at(answer, "hits", i, "probability").(float64)
		out = append(out, p)
	}
	return out
}

// An answer says by which profile it came about, and what its scores are worth.
func TestProfile(t *testing.T) {
	const total = 4 + 60
	a := withProfile(t, calibrated, total-4)
	if c := a.call(200, "GET", "/v1/collections/pets", ""); c["profile"] != "mine" {
		t.Errorf("the collection: %v", c)
	}
	a.call(201, "POST", "/v1/collections", `{"name": "other"}`)
	if c := a.call(200, "GET", "/v1/collections/other", ""); c["profile"] != profile.Builtin().Name {
		t.Errorf("a collection without a profile of its own: %v", c)
	}
	all := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "k": 100}`)
	known := probabilities(all)
	if all["profile"] != "mine" || !strings.HasPrefix(fmt.Sprint(all["refined"]), "vectors moved") || all["left_out"] != nil {
		t.Errorf("the answer: %v", all)
	}
	falls := slices.IsSortedFunc(known, func(a, b float64) int { return cmp.Compare(b, a) })
	if len(known) != total || !falls || known[0] < 0.5 || known[total-1] > 0.5 || known[total-1] == 0 {
		t.Errorf("probabilities: %v", known)
	}
	above := slices.IndexFunc(known, func(p float64) bool { return p < 0.5 })
	some := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "k": 100, "min_probability": 0.5}`)
	if fmt.Sprint(ids(some)) != fmt.Sprint(ids(all)[:above]) || some["left_out"] != float64(total-above) || len(some["notes"].([]any)) != 1 {
		t.Errorf("the probable ones: %v", some)
	}
	if none := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "k": 100, "min_probability": 1, "compare": true, "columns": true}`); len(ids(none)) != 0 || none["left_out"] != float64(total) {
		t.Errorf("none is certain: %v", none)
	}

	paper := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "profile": "paper"}`)
	if paper["profile"] != nil || paper["notes"] != nil || slices.Max(probabilities(paper)) != 0 {
		t.Errorf("as in the paper: %v", paper)
	}
	why := a.call(200, "POST", "/v1/collections/pets/explain", `{"query": "dog AND NOT leash", "id": "soup", "min_probability": 0.5}`)
	if got := probabilities(why); len(got) != 1 || got[0] != known[slices.Index(ids(all), "soup")] {
		t.Errorf("explained: %v", got)
	}
	for body, words := range map[string]string{
		`{"query": "dog AND NOT leash", "min_probability": 0.5, "profile": "paper"}`: "profile paper",
		`{"query": "dog AND NOT leash", "min_probability": 2}`:                       "use 0 to 1",
		`{"query": "dog AND NOT leash", "profile": "mine"}`:                          "collection or paper",
		`{"query": "dog AND NOT leash", "logic": {"gate_cap": 2}}`:                   "gate's cap",
		`{"query": "dog AND NOT leash", "logic": {"similarity": "x"}}`:               "clamp, affine, raw",
		`{"query": "dog AND NOT leash", "logic": {"gate": "off", "gate_cap": 2}}`:    "gate's cap",
	} {
		a.fails("invalid", words, "POST", searchPath, body)
	}
}

// What a profile chooses is in force until a choice of the calculus is made.
func TestProfileOperators(t *testing.T) {
	const question = `"query": "dog AND NOT leash", "explain": true`
	quiet := profile.Paper()
	quiet.Name = "quiet"
	quiet.Operators = map[profile.Kind]profile.Operator{profile.AndNot: {Logic: logic.Options{Not: logic.C(0)}}}
	a := withProfile(t, quiet, 0)
	own := a.call(200, "POST", searchPath, `{`+question+`}`)
	loud := a.call(200, "POST", searchPath, `{`+question+`, "logic": {"c_not": 1}}`)
	if same := a.call(200, "POST", searchPath, `{`+question+`, "logic": {"c_not": 0}}`); fmt.Sprint(own["hits"]) != fmt.Sprint(same["hits"]) || fmt.Sprint(own["hits"]) == fmt.Sprint(loud["hits"]) {
		t.Errorf("by the profile %v, by its choice %v, by another %v", own["hits"], same["hits"], loud["hits"])
	}
}
