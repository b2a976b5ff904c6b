package profile

import (
	"math"
	"strings"
	"testing"

	encoder "github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

func TestKindOf(t *testing.T) {
	for text, want := range map[string]Kind{
		"a": Atom, "a AND b": And, "a AND b AND c": And, "a AND NOT b": AndNot, "a AND NOT b AND NOT c": AndNot,
		"a AND b AND NOT c": AndAndNot, "a OR b": Or, "a OR b OR c": Or, "NOT a": Against, "NOT a AND NOT b": Against,
		"a AND (b OR c)": Nested, "a AND NOT (b AND c)": Nested, "(a AND b) OR c": Nested, "a AND b year:>2000": And,
	} {
		f, err := query.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := KindOf(f); got != want {
			t.Errorf("%s is of kind %s, not %s", text, got, want)
		}
	}
}

// TestRoundTrip checks that a profile survives encoding and decoding.
func TestRoundTrip(t *testing.T) {
	p := &Profile{
		Name: "mine", Encoder: "e", Hubness: 0.3, Feedback: Feedback{Documents: 10, Weight: 0.25},
		Operators: map[Kind]Operator{
			And:    {Fusion: fusion.Contextual, Logic: logic.Options{And: logic.C(0.5), NoFloor: logic.AndFloor}},
			AndNot: {Logic: logic.Options{Gate: logic.Gate{Kind: logic.ByBound, Bound: 0.6}, GateCap: 0.5, Similarity: logic.Raw}},
		},
		Calibration: &Logistic{Intercept: -3, Score: 1.5, Length: -0.5},
		Evidence:    []Evidence{{Set: "s", Queries: 10, Baseline: 0.1, Paper: 0.2, Estimate: 0.3, Gain: [2]float64{0.01, 0.1}}},
	}
	got, err := Read(strings.NewReader(p.String()))
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != p.String() {
		t.Errorf("wrote\n%s\nread\n%s", p, got)
	}
	for _, k := range []Kind{And, AndNot} {
		if got.Operators[k] != p.Operators[k] {
			t.Errorf("the operator for %s became %+v", k, got.Operators[k])
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		``:                         "EOF",
		`{}`:                       "name",
		`{"name":"a","hubness":2}`: "hubness",
		`{"name":"a","spread":-1}`: "spread",
		`{"name":"a","feedback":{"documents":-1}}`:            "feedback",
		`{"name":"a","feedback":{"documents":5,"weight":11}}`: "weight",
		`{"name":"a","operators":{"xor":{}}}`:                 "xor",
		`{"name":"a","operators":{"and":{"fusion":"x"}}}`:     "fusion",
		`{"name":"a","operators":{"and":{"geometric":true}}}`: "learn it again",
		`{"name":"a","calibration":{"score":-1}}`:             "calibration",
		`{"name":"a","calibrations":{}}`:                      "learn it again",
		`{"name":"a","other":1}`:                              "other",
		`{"name":"a"} {}`:                                     "after",
		`{"name":"` + strings.Repeat("a", maxBytes) + `"}`:    "bytes",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v does not say %q", text, err, want)
		}
	}
}

// TestBuiltin checks that the built-in profile is for the built-in encoder and refines
// vectors.
func TestBuiltin(t *testing.T) {
	if newest != encoder.Newest() {
		t.Errorf("got %s as the newest revision, want %s", newest, encoder.Newest())
	}
	for _, revision := range []string{"", "1", newest} {
		p := For(encoder.Name, revision)
		if p.Encoder != encoder.Name || p.Hubness == 0 || p.Feedback.Documents == 0 {
			t.Errorf("revision %q of the built-in encoder has the profile %s", revision, p)
		}
	}
	if p := For(encoder.Name, "99"); p.Name != General().Name {
		t.Errorf("an unknown revision has the profile %s", p.Name)
	}
	if other := For("another", "1"); !(other.Spread > 0) || !(other.Words > 0) || other.Calibration != nil {
		t.Errorf("another encoder has the profile %s", other)
	}
}

func TestShifts(t *testing.T) {
	unit := func(v ...float32) []float32 {
		if err := vec.Normalize(v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	p := &Profile{Hubness: 0.5, Feedback: Feedback{Documents: 1, Weight: 2}}
	if got, want := p.Apart(unit(1, 1), []float32{1, 0}), unit(float32(math.Sqrt(0.5))-0.5, float32(math.Sqrt(0.5))); vec.Dot64(got, want) < 1-1e-6 {
		t.Errorf("apart: %v, not %v", got, want)
	}
	// The difference from the centre is (0, 3), or (0, 1) at length 1.
	if got, want := p.Towards(unit(1, 0), []float32{1, 4}, []float32{1, 1}, 1), unit(1, 2); vec.Dot64(got, want) < 1-1e-6 {
		t.Errorf("towards: %v, not %v", got, want)
	}
	v := unit(1, 0)
	if got := p.Towards(v, []float32{1, 1}, []float32{1, 1}, 1); &got[0] != &v[0] {
		t.Errorf("what finds the middle is moved to %v", got)
	}
	if got := (&Profile{Hubness: 1}).Apart(v, v); &got[0] != &v[0] {
		t.Errorf("nothing was left, and it became %v", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(Builtin().String())
	f.Add(`{"name":"a","operators":{"and":{"logic":{"And":0.5}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		again, err := Read(strings.NewReader(p.String()))
		if err != nil || again.String() != p.String() {
			t.Errorf("%s was read, and written as %s: %v", text, p, err)
		}
	})
}
