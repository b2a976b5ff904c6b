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
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

var refining = &profile.Profile{Name: "refining", Hubness: 0.4, Feedback: profile.Feedback{Documents: 5, Weight: 0.3}}

// moved is a direct implementation of refine for one vector.
func moved(v []float32, docs []engine.Document, p *profile.Profile) []float32 {
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
	best := order[:p.Feedback.Documents]
	first, last := similarity(&docs[best[0]], apart), similarity(&docs[best[len(best)-1]], apart)
	sum := 0.0
	for _, i := range best { // weight by the lead over the last
		sum += float64(similarity(&docs[i], apart)-last) / float64(first-last)
	}
	for _, i := range best {
		add(&near, docs[i].Vector, float64(similarity(&docs[i], apart)-last)/float64(first-last)/sum)
	}
	for i := range near {
		near[i] -= centre[i]
	}
	direction := unit(near)
	to := make([]float64, dim)
	add(&to, apart, 1)
	add(&to, direction, p.Feedback.Weight)
	return unit(to)
}

// TestRefine checks that Prepare moves vectors as the profile specifies and leaves plain
// retrieval unchanged.
func TestRefine(t *testing.T) {
	s, docs := corpus(t, 300)
	ctx := context.Background()
	q := asked(t, "a AND b AND NOT c")
	raw, err := s.encode(ctx, q.Formula, "", fusion.Simple)
	if err != nil {
		t.Fatal(err)
	}
	own := &Searcher{Store: s.Store, Encoder: s.Encoder, Profile: refining}
	p, err := own.Prepare(ctx, q, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range p.Vectors {
		if d := vec.Dot64(v, moved(raw.Vectors[i], docs, refining)); d < 1-1e-6 {
			t.Errorf("%s was moved elsewhere: cosine %v", q.Formula.Terms.At(i), d)
		}
		if d := vec.Dot64(v, raw.Vectors[i]); d > 0.999 {
			t.Errorf("%s was not moved", q.Formula.Terms.At(i))
		}
	}
	search := func(s *Searcher, o Options) *Result {
		r, err := s.Search(ctx, q, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	plain := search(own, Options{Research: Research{Mode: Baseline}})
	unmoved := search(s, Options{Research: Research{Mode: Baseline}})
	compared := search(own, Options{Compare: true})
	for i := range unmoved.Hits {
		if plain.Hits[i].ID != unmoved.Hits[i].ID || compared.Plain[i].ID != unmoved.Hits[i].ID {
			t.Fatalf("plain retrieval has %s at %d, with a profile %s, compared %s", unmoved.Hits[i].ID, i, plain.Hits[i].ID, compared.Plain[i].ID)
		}
	}
	if compared.Profile != "refining" || plain.Profile != "" {
		t.Errorf("the profiles are named %q and %q", compared.Profile, plain.Profile)
	}
}

// TestRefineWithinSentence checks that the sentence that a formula was read from moves long
// wanted atoms, but neither labels nor excluded atoms.
func TestRefineWithinSentence(t *testing.T) {
	s, _ := corpus(t, 30) // too few documents for feedback
	s.Profile = refining
	ctx := context.Background()
	const sentence = "how to do a b c d or e, but not f g h i"
	formula := asked(t, `("a b c d" OR e) AND NOT "f g h i"`)
	read := &Question{Formula: formula.Formula, Sentence: sentence}
	without, err := s.Prepare(ctx, formula, Options{})
	if err != nil {
		t.Fatal(err)
	}
	with, err := s.Prepare(ctx, read, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, before := range without.Vectors {
		term, after := with.Formula.Terms.At(i).String(), with.Vectors[i]
		switch term {
		case `"a b c d"`, "a b c d":
			was, is := vec.Dot64(before, vectorOf(sentence)), vec.Dot64(after, vectorOf(sentence))
			if is <= was {
				t.Errorf("%s: cosine to the sentence: got %v, want more than %v", term, is, was)
			}
		case "e", `"f g h i"`, "f g h i":
			if !slices.Equal(before, after) {
				t.Errorf("%s: got another vector, want it unchanged", term)
			}
		}
	}
}

// TestComplete checks that a profile's operators apply to their kinds of formulas, and that
// the caller's options override them, even with the paper's values.
func TestComplete(t *testing.T) {
	p := &profile.Profile{Name: "p", Operators: map[profile.Kind]profile.Operator{
		profile.And: {Fusion: fusion.Contextual, Logic: logic.Options{And: logic.C(0.5)}},
	}}
	half, quarter := logic.Options{And: logic.C(0.5)}, logic.Options{And: logic.C(0.25)}
	for _, c := range []struct {
		formula string
		given   Research
		fusion  fusion.Style
		logic   logic.Options
	}{
		{"a AND b", Research{Mode: Exact}, fusion.Contextual, half},
		{"a AND b", Research{Mode: Exact, Logic: &quarter}, fusion.Contextual, quarter},
		{"a AND b", Research{Mode: Exact, Logic: &logic.Options{}}, fusion.Contextual, logic.Options{}},
		{"a AND b", Research{Mode: Exact, Fusion: new(fusion.Centroid)}, fusion.Centroid, half},
		{"a AND b", Research{Mode: Exact, Fusion: new(fusion.Simple)}, fusion.Simple, half},
		{"a AND b", Research{Mode: Baseline}, fusion.Simple, logic.Options{}},
		{"a OR b", Research{Mode: Exact}, fusion.Simple, logic.Options{}},
	} {
		got := Options{Profile: p, Research: c.given}.complete(parsed(t, c.formula))
		if *got.Fusion != c.fusion || *got.Logic != c.logic {
			t.Errorf("%s with %+v: %s, %+v", c.formula, c.given, got.Fusion, got.Logic)
		}
	}
}

// TestMinProbability checks that probabilities follow the calibration, agree across modes and
// drop results.
func TestMinProbability(t *testing.T) {
	s, _ := corpus(t, 900)
	ctx := context.Background()
	l := profile.Logistic{Intercept: -4, Score: 8}
	s.Profile = &profile.Profile{Name: "calibrated", Calibration: &l}
	f := asked(t, "a AND b")
	exact, err := s.Search(ctx, f, Options{K: 50, Research: Research{Mode: Exact}})
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := s.Search(ctx, f, Options{K: 50, Research: Research{Mode: Hybrid, Candidates: 200}})
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
	cut, err := s.Search(ctx, f, Options{K: 50, MinProbability: least, Research: Research{Mode: Exact}})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range cut.Hits {
		if h.Probability < least {
			t.Errorf("%s has %v, below %v", h.ID, h.Probability, least)
		}
	}
	if len(cut.Hits) < 21 || len(cut.Hits)+cut.LeftOut != 50 {
		t.Errorf("%d results, %d below", len(cut.Hits), cut.LeftOut)
	}
	var problem *OptionError
	if _, err := s.Search(ctx, f, Options{MinProbability: 0.5, Profile: profile.Paper()}); !errors.As(err, &problem) {
		t.Errorf("a least score without calibration: %v", err)
	}
	if _, err := s.Search(ctx, f, Options{MinProbability: 1.5}); !errors.As(err, &problem) {
		t.Errorf("a least score of 1.5: %v", err)
	}
}

// TestSamePreparation checks that the refined vectors of a query do not depend on the mode or
// on the number of results: otherwise a proof would compare different queries.
func TestSamePreparation(t *testing.T) {
	s, _ := corpus(t, 300)
	own := &Searcher{Store: s.Store, Encoder: s.Encoder, Profile: &profile.Profile{
		Name: "refining", Words: 0.8, Feedback: profile.Feedback{Documents: 5, Weight: 0.3, Words: 1},
	}}
	for _, formula := range []string{"a", "a AND b AND NOT c", "a OR b", "(a OR b) AND NOT c", "2 OF (a, b, c)"} {
		q := asked(t, formula)
		var want [][]float32
		for _, mode := range []Mode{Exact, Hybrid, Rerank} {
			for _, k := range []int{1, 10, 100} {
				p, err := own.Prepare(context.Background(), q, Options{K: k, Research: Research{Mode: mode}})
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = p.Vectors
				}
				if !slices.EqualFunc(p.Vectors, want, slices.Equal) {
					t.Errorf("%s by %s with k = %d: vectors differ from those by exact with k = 1", formula, mode, k)
				}
			}
		}
	}
}

func TestLabelShare(t *testing.T) {
	for text, want := range map[string]float64{
		`"rock music"`:                                            1,
		`"the owner of a file"`:                                   1,
		`"rock music" AND dog`:                                    1,
		`"fetch commits from remote repository"`:                  0.25,
		`"fetch commits from remote repository" AND "rock music"`: 4.0 / 9,
	} {
		if got := labelShare(parsed(t, text).Root); math.Abs(got-want) > 1e-9 {
			t.Errorf("labelShare(%s) = %v, want %v", text, got, want)
		}
	}
}

// TestSpread checks that words count in proportion to the spread of the encoder's cosines.
func TestSpread(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		documents int
		scales    bool
	}{{leastKnown - 1, false}, {2 * leastKnown, true}} {
		s, _ := corpus(t, c.documents)
		p := &profile.Profile{Name: "relative", Words: 0.8, Spread: 0.5}
		found, err := lookup(ctx, s, asked(t, "a AND b"), Options{Profile: p})
		if err != nil {
			t.Fatal(err)
		}
		want := 0.8
		if c.scales {
			m, err := s.sample(ctx)
			if err != nil || !(m.spread > 0) {
				t.Fatalf("spread = %v, %v", m.spread, err)
			}
			want *= m.spread / 0.5
		}
		if got := found.Options.Logic.Words; math.Abs(got-want) > 1e-9 {
			t.Errorf("%d documents: words count %v, want %v", c.documents, got, want)
		}
	}
}

func lookup(ctx context.Context, s *Searcher, q *Question, o Options) (*Candidates, error) {
	p, err := s.Prepare(ctx, q, o)
	if err != nil {
		return nil, err
	}
	return s.Find(ctx, p)
}
