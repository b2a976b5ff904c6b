package retrieve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

var spoken = &profile.Profile{Name: "spoken", Words: 0.8}

// TestWordsAdd checks that the lexical score is added to the calculus and to nothing else, and
// that explanations include it.
func TestWordsAdd(t *testing.T) {
	s, docs := corpus(t, 300)
	ctx := context.Background()
	statistics := words.NewStatistics()
	byID := map[string]*engine.Document{}
	for i := range docs {
		statistics.Add(words.Pieces(docs[i].Segments()))
		byID[docs[i].ID] = &docs[i]
	}
	for _, formula := range []string{"a", "a AND b", "a AND b AND NOT c", "a OR b", "(a OR b) AND NOT c", "a^2 AND b", "NOT a", "a AND NOT (b AND c)"} {
		q := asked(t, formula)
		k := len(docs)
		without := map[string]float64{}
		r, err := s.Search(ctx, q, Options{K: k, Profile: profile.Paper(), Research: Research{Mode: Exact}})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			without[h.ID] = h.Score
			if h.Words != nil {
				t.Fatalf("%s: the paper's configuration looks at words", formula)
			}
		}
		for _, mode := range []Mode{Exact, Rerank, Hybrid} {
			r, err = s.Search(ctx, q, Options{K: k, All: true, Explain: true, Profile: spoken, Research: Research{Mode: mode, Candidates: k}})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Hits) != k {
				t.Fatalf("%s by %s has %d results", formula, mode, len(r.Hits))
			}
			reader := words.NewQuery(atomTexts(q.Formula), statistics, excluded(q.Formula)...).NewReader()
			score := logic.NewLexicalScore(q.Formula, q.Formula.Root)
			for _, h := range r.Hits {
				shares := make([]float32, len(h.Words))
				reader.Read(shares, words.Pieces(byID[h.ID].Segments()))
				columns := make([][]float32, len(shares))
				for i := range shares {
					columns[i] = shares[i : i+1]
					if math.Abs(h.Words[i].Share-float64(shares[i])) > 1e-6 {
						t.Fatalf("%s, %s by %s: %+v, not %v", formula, h.ID, mode, h.Words[i], shares[i])
					}
				}
				said := make([]float32, 1)
				score.Of(said, columns)
				if want := without[h.ID] + 0.8*float64(said[0]); math.Abs(h.Score-want) > 1e-5 {
					t.Fatalf("%s, %s by %s has %v, not %v", formula, h.ID, mode, h.Score, want)
				}
				if x := h.Explanation; x.Words == nil || math.Abs(x.Score-h.Score) > 1e-6 || math.Abs(x.Words.Vectors-without[h.ID]) > 1e-6 || !strings.Contains(x.Sentence, "words") {
					t.Fatalf("%s, %s by %s is explained by %+v", formula, h.ID, mode, x)
				}
			}
		}
	}
}

// TestWordsWidenThePool checks that a lexical match is found in every mode with a pool,
// however far its vector is.
func TestWordsWidenThePool(t *testing.T) {
	s, _ := corpus(t, 600)
	ctx := context.Background()
	far := vectorOf("a AND b")
	for i := range far {
		far[i] = -far[i]
	}
	store := s.Store.(*index.Collection)
	if err := store.Upsert(ctx, []engine.Document{{ID: "rare", Text: "kerberos", Vector: far}, {ID: "denies", Text: "there is no kerberos", Vector: far}}); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []Mode{Rerank, Hybrid} {
		r, err := s.Search(ctx, asked(t, "kerberos AND NOT a"), Options{K: 3, Profile: spoken, Research: Research{Mode: mode, Candidates: 20}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Hits[0].ID != "rare" {
			t.Errorf("by %s the first is %s", mode, r.Hits[0].ID)
		}
	}
	r, err := s.Why(ctx, asked(t, "kerberos"), Options{Profile: spoken}, "denies")
	if err != nil {
		t.Fatal(err)
	}
	if w := r.Hits[0].Words; len(w) != 1 || w[0].Share != words.Least || !w[0].Found[0].Denied {
		t.Errorf("what is denied is %+v", w)
	}
}

// TestPassagePerAtom checks that a hit has a passage for each wanted atom.
func TestPassagePerAtom(t *testing.T) {
	s, _ := corpus(t, 60)
	ctx := context.Background()
	d := engine.Document{ID: "two", Title: "pair", Text: "kerberos here. ldap there.", Vector: vectorOf("x")}
	for _, p := range []string{"kerberos here.", "ldap there."} {
		d.Passages = append(d.Passages, engine.Passage{Text: p, Vector: vectorOf(p)})
	}
	if err := s.Store.(*index.Collection).Upsert(ctx, []engine.Document{d}); err != nil {
		t.Fatal(err)
	}
	r, err := s.Search(ctx, asked(t, "kerberos AND ldap"), Options{Profile: spoken})
	if err != nil {
		t.Fatal(err)
	}
	h := r.Hits[0]
	if h.ID != "two" || len(h.Passages) != 2 || h.Passages[0].Text != "kerberos here." || h.Passages[1].Text != "ldap there." || h.Passages[0].Share != 1 {
		t.Errorf("the first is %s, with %+v", h.ID, h.Passages)
	}
}

// TestPassageOfUnwanted checks that a hit shows the passage that mentions a negated atom or,
// failing that, the passage that denies it.
func TestPassageOfUnwanted(t *testing.T) {
	s, _ := corpus(t, 60)
	ctx := context.Background()
	d := engine.Document{ID: "inn", Title: "kerberos inn", Vector: vectorOf("x")}
	for _, p := range []string{"kerberos and an oven.", "there is no oven.", "there is no ldap.", "kerberos sleeps."} {
		d.Passages = append(d.Passages, engine.Passage{Text: p, Vector: vectorOf(p)})
	}
	if err := s.Store.(*index.Collection).Upsert(ctx, []engine.Document{d}); err != nil {
		t.Fatal(err)
	}
	r, err := s.Why(ctx, asked(t, "kerberos AND NOT oven AND NOT ldap AND NOT zebra"), Options{Profile: spoken}, "inn")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range r.Hits[0].Unwanted {
		got = append(got, fmt.Sprintf("%s %t: %s", u.Atom, u.Share > 0, u.Text))
	}
	if want := []string{"oven true: kerberos and an oven.", "ldap false: there is no ldap."}; !slices.Equal(got, want) {
		t.Errorf("what is not wanted is shown as %q, want %q", got, want)
	}
}

// wordless is a store without term statistics.
type wordless struct{ engine.Store }

func TestWithoutWords(t *testing.T) {
	s, _ := corpus(t, 100)
	ctx := context.Background()
	own := &Searcher{Store: wordless{s.Store}, Encoder: s.Encoder, Profile: spoken}
	r, err := own.Search(ctx, asked(t, "a AND b"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Hits[0].Words != nil || !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "no words") }) {
		t.Errorf("the notes are %q, the words %v", r.Notes, r.Hits[0].Words)
	}
	zero := 0.0
	if r, err = s.Search(ctx, asked(t, "a AND b"), Options{Profile: spoken, Research: Research{Words: &zero}}); err != nil || r.Hits[0].Words != nil {
		t.Errorf("words are switched off: %v, %v", r.Hits[0].Words, err)
	}
	var problem *OptionError
	minus := -1.0
	if _, err := s.Search(ctx, asked(t, "a"), Options{Research: Research{Words: &minus}}); !errors.As(err, &problem) {
		t.Errorf("a weight of -1: %v", err)
	}
}

// TestHonest checks that a small collection has no probabilities, and that a contradiction has
// no results.
func TestHonest(t *testing.T) {
	ctx := context.Background()
	calibrated := &profile.Profile{Name: "calibrated", Words: 0.8, Calibration: &profile.Logistic{Intercept: -9, Score: 0.1}}
	few, _ := corpus(t, leastKnown-1)
	r, err := few.Search(ctx, asked(t, "a AND b"), Options{Profile: calibrated})
	if err != nil || r.Hits[0].Probability != 0 {
		t.Errorf("of few documents the first has %v, %v", r.Hits[0].Probability, err)
	}
	var problem *OptionError
	if _, err := few.Search(ctx, asked(t, "a AND b"), Options{Profile: calibrated, MinProbability: 0.5}); !errors.As(err, &problem) || !strings.Contains(err.Error(), "50") {
		t.Errorf("a least probability among few: %v", err)
	}
	many, _ := corpus(t, 2*leastKnown)
	for formula, want := range map[string]string{"a AND x": "no document seems to match: the best has", "a AND b": "no document seems to match: the best mentions the words"} {
		r, err := many.Search(ctx, asked(t, formula), Options{Profile: calibrated})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, want) }) {
			t.Errorf("%s, where nothing is probable: got notes %q, want %q", formula, r.Notes, want)
		}
	}
	said := func(formula string) bool {
		r, err := many.Search(ctx, asked(t, formula), Options{Profile: spoken})
		if err != nil {
			t.Fatal(err)
		}
		return !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "nearest in meaning") })
	}
	calibrated.Calibration = &profile.Logistic{Intercept: 1, Score: 1}
	for formula, told := range map[string]bool{"kerberos AND NOT a": false, "a AND NOT b": true} {
		if r, err = many.Search(ctx, asked(t, formula), Options{Profile: calibrated}); err != nil || r.Hits[0].Probability > 0 != told {
			t.Errorf("%s: the first has a probability of %v, %v", formula, r.Hits[0].Probability, err)
		}
	}
	if said("kerberos AND NOT a") || !said("a AND kerberos") {
		t.Errorf("where nothing says the word there is %v, otherwise %v", said("kerberos AND NOT a"), said("a AND kerberos"))
	}
	for _, mode := range []Mode{Auto, Baseline, Hybrid, Exact} {
		if r, err = many.Search(ctx, asked(t, "a AND NOT a"), Options{Profile: calibrated, Research: Research{Mode: mode}}); err != nil || len(r.Hits) != 0 {
			t.Errorf("a contradiction has %d results by %s, %v", len(r.Hits), mode, err)
		}
	}
}

func TestStrength(t *testing.T) {
	mentioned, missing, denied := AtomWords{Share: 0.5}, AtomWords{Share: 0.4}, AtomWords{Share: -1}
	negated := AtomWords{Share: 1, Negated: true}
	topic := AtomWords{Share: 1, Negated: true, Found: []words.Found{{About: true, Passages: 9, Mentions: 9}}}
	short := AtomWords{Share: 1, Negated: true, Found: []words.Found{{Passages: 1, Mentions: 1}}}
	for _, c := range []struct {
		name, formula string
		words         []AtomWords
		want          string
	}{
		{"all", "a AND b", []AtomWords{mentioned, mentioned}, "strong"},
		{"some", "a AND b", []AtomWords{mentioned, missing}, "partial"},
		{"none", "a AND b", []AtomWords{missing, denied}, "weak"},
		{"alternative", "a OR b", []AtomWords{missing, mentioned}, "strong"},
		{"excluded", "a AND NOT b", []AtomWords{mentioned, negated}, "strong"},
		{"about the excluded", "a AND NOT b", []AtomWords{mentioned, topic}, "weak"},
		{"short with the excluded", "a AND NOT b", []AtomWords{mentioned, short}, "partial"},
		{"nothing wanted", "NOT a", []AtomWords{negated}, ""},
		{"without words", "a", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (&Hit{Words: c.words}).strength(parsed(t, c.formula).Root); got != c.want {
				t.Errorf("strength of %+v = %q, want %q", c.words, got, c.want)
			}
		})
	}
}
