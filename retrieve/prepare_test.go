package retrieve

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/vec"
)

var refining = &profile.Profile{Name: "refining", Hubness: 0.4, Feedback: profile.Feedback{Documents: 5, Weight: 0.3}}

// moved is what Refine does to a vector, by its definition.
func moved(v []float32, docs []index.Document, p *profile.Profile) []float32 {
	var common, centre, near []float64
	add := func(sum *[]float64, v []float32, share float64) {
		if *sum == nil {
			*sum = make([]float64, dim)
		}
		for i, x := range v {
			(*sum)[i] += share * float64(x)
		}
	}
	unit := func(x []float64) []float32 {
		out := make([]float32, dim)
		for i := range x {
			out[i] = float32(x[i])
		}
		if err := vec.Normalize(out); err != nil {
			panic(err)
		}
		return out
	}
	for _, w := range profile.Bank {
		add(&common, vectorOf(w), -p.Hubness/float64(len(profile.Bank)))
	}
	add(&common, v, 1)
	apart := unit(common)
	order := make([]int, len(docs))
	for i := range order {
		order[i] = i
		add(&centre, docs[i].Vector, 1/float64(len(docs)))
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(similarity(&docs[b], apart), similarity(&docs[a], apart))
	})
	for _, i := range order[:p.Feedback.Documents] {
		add(&near, docs[i].Vector, 1/float64(p.Feedback.Documents))
	}
	for i := range near {
		near[i] -= centre[i]
	}
	direction := unit(near)
	sum := make([]float64, dim)
	add(&sum, apart, 1)
	add(&sum, direction, p.Feedback.Weight)
	return unit(sum)
}

// What Prepare makes of vectors is what the profile says, and plain retrieval
// stays as it is.
func TestRefine(t *testing.T) {
	s, docs := corpus(t, 300)
	ctx := context.Background()
	f := parsed(t, "a AND b AND NOT c")
	raw, err := s.Encode(ctx, f, fusion.Simple)
	if err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]engine.Store{"sampler": s.Store, "plain": listed{s.Store.(engine.Collection)}} {
		own := &Searcher{Store: store, Encoder: s.Encoder, Profile: refining}
		p, err := own.Prepare(ctx, f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range p.Vectors {
			if d := vec.Dot64(v, moved(raw.Vectors[i], docs, refining)); d < 1-1e-6 {
				t.Errorf("%s: %s was moved elsewhere: cosine %v", name, f.Terms.At(i), d)
			}
			if d := vec.Dot64(v, raw.Vectors[i]); d > 0.999 {
				t.Errorf("%s: %s was not moved", name, f.Terms.At(i))
			}
		}
		plain, err := own.Search(ctx, f, Options{Mode: Baseline})
		if err != nil {
			t.Fatal(err)
		}
		unmoved, err := s.Search(ctx, f, Options{Mode: Baseline})
		if err != nil {
			t.Fatal(err)
		}
		compared, err := own.Search(ctx, f, Options{Compare: true})
		if err != nil {
			t.Fatal(err)
		}
		for i := range unmoved.Hits {
			if plain.Hits[i].ID != unmoved.Hits[i].ID || compared.Plain[i].ID != unmoved.Hits[i].ID {
				t.Fatalf("%s: plain retrieval has %s at %d, with a profile %s, compared %s", name, unmoved.Hits[i].ID, i, plain.Hits[i].ID, compared.Plain[i].ID)
			}
		}
		if compared.Profile != "refining" || plain.Profile != "" {
			t.Errorf("%s: the profiles are named %q and %q", name, compared.Profile, plain.Profile)
		}
	}
}

// listed is a store that cannot compare single documents.
type listed struct{ engine.Collection }

// A profile's operators are for its kinds of formulas, and yield to the caller's.
func TestAdopt(t *testing.T) {
	p := &profile.Profile{Name: "p", Operators: map[profile.Kind]profile.Operator{
		profile.And:    {Fusion: fusion.Contextual, Logic: logic.Options{And: logic.C(0.5)}},
		profile.AndNot: {Logic: logic.Options{Not: logic.C(0.5)}},
	}}
	half, quarter, not := logic.Options{And: logic.C(0.5)}, logic.Options{And: logic.C(0.25)}, logic.Options{Not: logic.C(0.5)}
	for _, c := range []struct {
		formula string
		given   Options
		mode    Mode
		fusion  fusion.Style
		logic   logic.Options
	}{
		{"a AND b", Options{Mode: Exact}, Exact, fusion.Contextual, half},
		{"a AND b", Options{Mode: Exact, Logic: quarter}, Exact, fusion.Contextual, quarter},
		{"a AND b", Options{Mode: Exact, Fusion: fusion.Centroid}, Exact, fusion.Centroid, half},
		{"a AND b", Options{Mode: Baseline}, Baseline, fusion.Simple, logic.Options{}},
		{"a OR b", Options{Mode: Exact}, Exact, fusion.Simple, logic.Options{}},
		{"a AND NOT b", Options{Mode: Exact}, Exact, fusion.Simple, not},
		{"a AND NOT b", Options{Mode: Hybrid}, Hybrid, fusion.Simple, not},
		{"a AND NOT b", Options{Mode: Rerank, Logic: quarter}, Rerank, fusion.Simple, quarter},
		{"a AND b AND NOT c", Options{Mode: Hybrid}, Hybrid, fusion.Simple, logic.Options{}},
	} {
		c.given.Profile = p
		got := c.given.adopt(parsed(t, c.formula))
		if got.Mode != c.mode || got.Fusion != c.fusion || got.Logic != c.logic {
			t.Errorf("%s with %+v: %s, %s, %+v", c.formula, c.given, got.Mode, got.Fusion, got.Logic)
		}
	}
}

// Probabilities follow the calibration, mean the same in every mode, and cut off.
func TestMinScore(t *testing.T) {
	s, _ := corpus(t, 900)
	ctx := context.Background()
	l := profile.Logistic{Intercept: -4, Slope: 2}
	s.Profile = &profile.Profile{Name: "calibrated", Calibrations: map[profile.Kind]profile.Logistic{profile.And: l}}
	f := parsed(t, "a AND b")
	exact, err := s.Search(ctx, f, Options{Mode: Exact, K: 50})
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := s.Search(ctx, f, Options{Mode: Hybrid, K: 50, Candidates: 200})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range exact.Hits {
		if !(h.Probability > 0 && h.Probability < 1) || i > 0 && h.Probability > exact.Hits[i-1].Probability {
			t.Fatalf("result %d has probability %v", i, h.Probability)
		}
	}
	if d := math.Abs(exact.Hits[0].Probability - hybrid.Hits[0].Probability); exact.Hits[0].ID != hybrid.Hits[0].ID || d > 0.01 {
		t.Errorf("the best is %s with %v, by the hybrid %s with %v", exact.Hits[0].ID, exact.Hits[0].Probability, hybrid.Hits[0].ID, hybrid.Hits[0].Probability)
	}
	least := exact.Hits[20].Probability
	cut, err := s.Search(ctx, f, Options{Mode: Exact, K: 50, MinScore: least})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range cut.Hits {
		if h.Probability < least {
			t.Errorf("%s has %v, below %v", h.ID, h.Probability, least)
		}
	}
	if len(cut.Hits) < 21 || len(cut.Hits)+cut.Below != 50 {
		t.Errorf("%d results, %d below", len(cut.Hits), cut.Below)
	}
	var problem *OptionError
	if _, err := s.Search(ctx, parsed(t, "a OR b"), Options{MinScore: 0.5}); !errors.As(err, &problem) {
		t.Errorf("a least score without calibration: %v", err)
	}
	if _, err := s.Search(ctx, f, Options{MinScore: 1.5}); !errors.As(err, &problem) {
		t.Errorf("a least score of 1.5: %v", err)
	}
}
