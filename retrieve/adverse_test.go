package retrieve_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/sphere"
)

// opened returns the demo as a collection with the built-in encoder, and the labels of its
// documents by ID.
func opened(t *testing.T) (*nsfl.Collection, map[string][]string) {
	t.Helper()
	if testing.Short() {
		t.Skip("encodes 550 documents")
	}
	c, err := nsfl.Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	texts, err := demo.Documents()
	if err != nil {
		t.Fatal(err)
	}
	var docs []nsfl.Document
	labels := map[string][]string{}
	for _, d := range texts {
		docs = append(docs, nsfl.Document{ID: d.ID, Title: d.Title, Passages: engine.NewPassages(d.Passages)})
		labels[d.ID] = d.Labels
	}
	if err := c.Add(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
	return c, labels
}

const thirty = "dog cat ball beach snow soup bread bike car boat tree river night robot war love music garden kitchen horse bird lake train city child rain fire ghost tea wine"

// conjunction joins words with AND, negating every n-th one, or none if n is 0.
func conjunction(words string, n int) string {
	parts := strings.Fields(words)
	for i := range parts {
		if n > 0 && i%n == n-1 {
			parts[i] = "NOT " + parts[i]
		}
	}
	return strings.Join(parts, " AND ")
}

// TestAdverse checks that queries that make little sense have well-defined answers.
func TestAdverse(t *testing.T) {
	c, labels := opened(t)
	t.Run("orders", func(t *testing.T) { adverseOrders(t, c, labels) })
	t.Run("similarities", func(t *testing.T) { adverseSimilarities(t, c) })
	t.Run("no direction", func(t *testing.T) { adverseDirections(t, c) })
	t.Run("resemblance", func(t *testing.T) { resemblance(t, c) })
}

// adverseOrders checks the parsed form of each query and the resulting order.
func adverseOrders(t *testing.T, c *nsfl.Collection, labels map[string][]string) {
	search := func(t *testing.T, formula string, mode retrieve.Mode) *retrieve.Result {
		t.Helper()
		r, err := c.Search(t.Context(), formula, retrieve.Options{All: true, Explain: true, Compare: true, Research: retrieve.Research{Mode: mode}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	having := func(r *retrieve.Result, label string) (n int) {
		for _, h := range r.Hits {
			if !slices.ContainsFunc(strings.Split(label, " and "), func(l string) bool { return !slices.Contains(labels[h.ID], l) }) {
				n++
			}
		}
		return n
	}
	for _, x := range []struct {
		name, formula string
		root          string // parsed form; empty if it equals formula
		same          string // another formula with the same order; empty if none
		label         string // label of between least and most of the top ten
		least, most   int
		undirected    bool // no single vector represents it
	}{
		{name: "near synonyms", formula: "dog AND NOT puppy", label: "dog", least: 8, most: 10},
		{name: "contradiction", formula: "dog AND NOT dog", label: "dog", most: 0, undirected: true},
		{name: "tautology", formula: "dog OR NOT dog", root: "NOT (NOT dog AND dog)", label: "dog", most: 1, undirected: true},
		{name: "purely negative", formula: "NOT dog", label: "dog", most: 1}, // a photograph of two pointers, without a word about dogs
		{name: "two negatives", formula: "NOT dog AND NOT cat", label: "cat", most: 0},
		{name: "negatives or", formula: "NOT dog OR NOT cat", root: "NOT (dog AND cat)", label: "dog and cat", most: 0},
		{name: "thirty atoms", formula: conjunction(thirty, 0)},
		{name: "thirty atoms, half negated", formula: conjunction(thirty, 2)},
		{name: "an atom twice", formula: "dog AND dog", root: "dog", same: "dog"},
		{name: "an atom twice, or", formula: "dog OR dog OR (dog AND dog)", root: "dog", same: "dog"},
		{name: "case", formula: "dog AND Dog", label: "dog", least: 7, most: 10},
		{name: "case, or", formula: "dog OR Dog", label: "dog", least: 9, most: 10},
		{name: "nonsense", formula: "zxqv"},
		{name: "nonsense beside a word", formula: "zxqv AND dog"},
		{name: "without nonsense", formula: "dog AND NOT zxqv", label: "dog", least: 9, most: 10},
		{name: "another script", formula: "собака AND мяч"},
		{name: "emoji", formula: "🐕 AND 🎾"},
		{name: "a long atom", formula: strings.TrimSpace(strings.Repeat("dog ", 2000)), label: "dog", least: 8, most: 10},
	} {
		t.Run(x.name, func(t *testing.T) {
			for mode := retrieve.Auto; mode <= retrieve.GeoHybrid; mode++ {
				if x.undirected && mode >= retrieve.GeoRerank {
					continue
				}
				r := search(t, x.formula, mode)
				sound(t, x.formula, mode, r)
				if want := first(x.root, x.formula); r.Formula != want {
					t.Errorf("it is read as %s, want %s", r.Formula, want)
				}
			}
			r := search(t, x.formula, retrieve.Exact)
			if x.same != "" {
				if got, want := order(r), order(search(t, x.same, retrieve.Exact)); got != want {
					t.Errorf("the order is\n%s\nthat of %s\n%s", got, x.same, want)
				}
			}
			if n := having(r, x.label); x.label != "" && (n < x.least || n > x.most) {
				t.Errorf("%d of the ten best have the label %s, want %d to %d", n, x.label, x.least, x.most)
			}
		})
	}
}

// sound checks the invariants of every result.
func sound(t *testing.T, formula string, mode retrieve.Mode, r *retrieve.Result) {
	t.Helper()
	want := 10
	if formula == "dog AND NOT dog" { // a contradiction
		want = 0
	}
	if len(r.Hits) != want {
		t.Errorf("%.60s, %s: %d results, want %d", formula, mode, len(r.Hits), want)
	}
	seen := map[string]bool{}
	last := math.Inf(1)
	for _, h := range r.Hits {
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) || h.Score > last {
			t.Errorf("%.60s, %s: %s has the score %v after %v", formula, mode, h.ID, h.Score, last)
		}
		if h.ID == "" || seen[h.ID] || h.Explanation == nil || math.Abs(h.Explanation.Score-h.Score) > 1e-5 {
			t.Errorf("%.60s, %s: hit %+v", formula, mode, h)
		}
		seen[h.ID], last = true, h.Score
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// order returns the IDs of a result with their scores.
func order(r *retrieve.Result) string {
	var b strings.Builder
	for _, h := range r.Hits {
		fmt.Fprintf(&b, "%s %.5f\n", h.ID, h.Score)
	}
	return b.String()
}

// adverseSimilarities checks that inputs the encoder cannot distinguish have equal
// similarities, and that truncated inputs are listed in Cut.
func adverseSimilarities(t *testing.T, c *nsfl.Collection) {
	for _, x := range []struct {
		formula, a, b string
		alike         bool
	}{
		{"dog AND Dog", "dog", "Dog", true}, // the encoder ignores case
		{"🐕 AND 🎾", "🐕", "🎾", true},         // both map to the unknown token
		{"dog AND puppy", "dog", "puppy", false},
	} {
		r, err := c.Search(t.Context(), x.formula, retrieve.Options{Research: retrieve.Research{Mode: retrieve.Exact}})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			values := map[string]float64{}
			for _, s := range h.Similarities {
				values[s.Formula] = s.Value
			}
			if alike := math.Abs(values[x.a]-values[x.b]) < 1e-6; alike != x.alike {
				t.Errorf("%s: %s has %v", x.formula, h.ID, values)
			}
		}
	}
	long := strings.TrimSpace(strings.Repeat("dog ", 2000))
	r, err := c.Search(t.Context(), long, retrieve.Options{})
	if err != nil || !slices.Equal(r.Cut, []string{long}) {
		t.Errorf("the end of a long atom was not read, and %d strings are said to be cut (%v)", len(r.Cut), err)
	}
}

// adverseDirections checks that the geometric modes return an error if the formula cancels its
// own wanted part.
func adverseDirections(t *testing.T, c *nsfl.Collection) {
	for _, formula := range []string{"dog AND NOT dog", "dog OR NOT dog", "cat AND (dog OR (ball AND NOT ball))"} {
		for mode := retrieve.GeoRerank; mode <= retrieve.GeoHybrid; mode++ {
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("%s, %s panics: %v", formula, mode, p)
					}
				}()
				_, err := c.Search(t.Context(), formula, retrieve.Options{Research: retrieve.Research{Mode: mode}})
				if !errors.Is(err, sphere.ErrNoDirection) {
					t.Errorf("%s, %s: %v, want that there is no direction", formula, mode, err)
				}
			}()
		}
	}
}

// resemblance logs the similarity of documents to atoms that occur in the demo and to atoms
// that do not, and the similarity of atoms to each other. A warning could be based on these
// numbers.
func resemblance(t *testing.T, c *nsfl.Collection) {
	atoms, pairs := demoAtoms(t)
	nearest := func(atoms []string) (out []float64) {
		for _, a := range atoms {
			r, err := c.Search(t.Context(), (&query.Atom{Text: a}).String(), retrieve.Options{K: 1, Research: retrieve.Research{Mode: retrieve.Baseline}})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, r.Hits[0].Score)
		}
		return sorted(t, out)
	}
	known := nearest(atoms)
	t.Logf("nearest document to atoms of the demo's queries: %s", quantiles(known))
	for _, group := range []struct{ name, words string }{
		{"letters", "zxqv khhq cdpt xsdj vtzg thpfg llgcn rmffx mhjvz hqdbs wvjhdc bgcmk ngnvft jzldhkj wtrlphm xdtzkmcnd dwxhxvdph kzhxbvxvf"},
		{"other scripts", "собака мяч кошка пляж снег 犬 猫 雪 كلب قطة כלב חתול σκύλος γάτα 개 고양이 कुत्ता หมา"},
		{"emoji", "🐕 🎾 🦀 🚲 🍲 🎸 🚀 🧸"},
		{"other topics", "chromodynamics excavator mitochondria parliament algebra cardiology polymers tectonics electrolysis jurisprudence liturgy dividends"},
	} {
		got := nearest(strings.Fields(group.words))
		t.Logf("nearest document to %s: %s", group.name, quantiles(got))
		if median, low := got[len(got)/2], known[len(known)/20]; median >= low {
			t.Errorf("half of %s have a document as near as %.2f, and so have all but a twentieth of known atoms (%.2f)", group.name, median, low)
		}
	}
	var apart, alike []float64
	for _, p := range pairs {
		apart = append(apart, cosine(t, c, p[0], p[1]))
	}
	for _, p := range []string{"dog puppy", "dog dogs", "cat kitten", "car automobile", "bike bicycle", "film movie", "child kid", "sofa couch", "ocean sea", "road street"} {
		a, b, _ := strings.Cut(p, " ")
		alike = append(alike, cosine(t, c, a, b))
	}
	t.Logf("atoms of one query to each other: %s", quantiles(sorted(t, apart)))
	t.Logf("synonyms to each other: %s", quantiles(sorted(t, alike)))
	if apart[len(apart)-1] >= alike[0] {
		t.Errorf("two atoms of a query are as near (%.2f) as synonyms (%.2f)", apart[len(apart)-1], alike[0])
	}
}

// demoAtoms returns the atoms of the demo's queries, and the pairs of atoms of each query A
// AND B or A AND NOT B.
func demoAtoms(t *testing.T) (atoms []string, pairs [][2]string) {
	t.Helper()
	queries, err := demo.Queries()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		f, err := query.ParseFormula(q.Formula)
		if err != nil {
			t.Fatal(err)
		}
		var own []string
		for a := range query.Atoms(f.Root) {
			own = append(own, a.Text)
		}
		atoms = append(atoms, own...)
		if q.Template == "A AND B" || q.Template == "A AND NOT B" {
			pairs = append(pairs, [2]string{own[0], own[1]})
		}
	}
	slices.Sort(atoms)
	return slices.Compact(atoms), pairs
}

func cosine(t *testing.T, c *nsfl.Collection, a, b string) float64 {
	t.Helper()
	e, err := c.Encoder().Encode(t.Context(), encoder.Query, []string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	return vec.Dot64(e.Vectors[0], e.Vectors[1])
}

func sorted(t *testing.T, values []float64) []float64 {
	t.Helper()
	if len(values) == 0 {
		t.Fatal("there is nothing to compare")
	}
	slices.Sort(values)
	return values
}

func quantiles(sorted []float64) string {
	at := func(p float64) float64 { return sorted[int(p*float64(len(sorted)-1)+0.5)] }
	return fmt.Sprintf("%d, least %.2f, 5 %% %.2f, median %.2f, 95 %% %.2f, most %.2f", len(sorted), at(0), at(0.05), at(0.5), at(0.95), at(1))
}

// TestAdverseRefused checks that oversized queries are rejected with a position, before
// anything is encoded.
func TestAdverseRefused(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x", 10_000):                      "the query is 10000 bytes long; at most 8192 are allowed",
		conjunction(strings.Repeat(thirty+" ", 3), 0):    "more than 64",
		strings.Repeat("NOT ", query.MaxDepth+1) + "dog": "nested",
		"dog AND NOT": "after NOT",
		"\xff\xfe":    "UTF-8",
	} {
		_, err := query.ParseFormula(text)
		var syntax *query.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}
