package lab_test

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/vec"
)

const dim = 16

// hashing encodes every text as a different vector, and records the texts.
type hashing struct{ asked []string }

func (h *hashing) Identity() encoder.Identity {
	return encoder.Identity{Name: "hashing", Dimension: dim}
}

func (h *hashing) Encode(_ context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	out := encoder.Encoded{Cut: make([]bool, len(texts))}
	for _, text := range texts {
		h.asked = append(h.asked, role.String()+": "+text)
		out.Vectors = append(out.Vectors, vectorOf(text))
	}
	return out, nil
}

func vectorOf(text string) []float32 {
	sum := fnv.New64a()
	sum.Write([]byte(text))
	r := rand.New(rand.NewPCG(sum.Sum64(), 1))
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64()) + 0.5
	}
	if err := vec.Normalize(v); err != nil {
		panic(err)
	}
	return v
}

// setOf returns a set of documents and queries with formulas. The relevant documents of a
// query are those with its formula as a label.
func setOf(docs []sets.Document, formulas ...string) *sets.Set {
	set := &sets.Set{Name: "small", Documents: func(yield func(sets.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}}
	for i, f := range formulas {
		q := sets.Query{ID: string(rune('a' + i)), Template: "A AND B AND C", Formula: f}
		grades := map[string]int{}
		for _, d := range docs {
			if slices.Contains(d.Labels, f) {
				grades[d.ID] = 1
			}
		}
		q.SetGrades(grades)
		set.Queries = append(set.Queries, q)
	}
	return set
}

var films = []sets.Document{
	{ID: "1", Title: "Up.", Passages: []string{"A house flies.", "Balloons carry it.", "A boy comes along."}},
	{ID: "2", Title: "Heat", Passages: []string{"A heist goes wrong."}},
	{ID: "3", Passages: []string{"No title, one passage."}},
	{ID: "4", Passages: []string{"No title.", "Two passages."}},
	{ID: "5", Title: "A title alone"},
}

// naive computes the similarity of a document as documented, from vectors instead of
// cosines.
func naive(d sets.Document, how lab.Passages, query []float32) float64 {
	whole := vectorOf(strings.TrimSpace(d.Title + " " + strings.Join(d.Passages, " ")))
	var parts [][]float32
	for _, p := range d.Passages {
		parts = append(parts, vectorOf(p))
	}
	if how != lab.MeanMax && d.Title != "" && len(parts) > 0 {
		parts = append(parts, vectorOf(d.Title))
	}
	cosine := func(v []float32) float64 { return vec.Dot64(v, query) }
	if how == lab.Whole || len(parts) == 0 || len(parts) == 1 && how != lab.MeanMax {
		return cosine(whole)
	}
	isLong := len(strings.Join(d.Passages, " ")) > 300
	if how == lab.Stored && !isLong {
		if how = lab.WholeMax; len(d.Passages) == 1 {
			parts[0] = whole
		}
	}
	best, centre := math.Inf(-1), make([]float32, dim)
	for _, p := range parts {
		best = max(best, cosine(p))
		vec.AddScaled(centre, p, 1/float32(len(parts)))
	}
	switch how {
	case lab.MeanMax:
		return (cosine(centre) + best) / 2
	case lab.WholeMax:
		return (cosine(whole) + best) / 2
	}
	if err := vec.Normalize(centre); err != nil {
		panic(err)
	}
	return (cosine(centre) + best) / 2
}

// Every way matches its description.
func TestWays(t *testing.T) {
	story := strings.Repeat("A long story. ", 40)
	docs := append(slices.Clone(films), sets.Document{ID: "6", Title: "Dune", Passages: []string{"It goes on. " + story, "It ends. " + story}})
	set := setOf(docs, "red AND green AND blue")
	for _, name := range lab.WayNames() {
		t.Run(name, func(t *testing.T) {
			how, err := lab.ParsePassages(name)
			if err != nil {
				t.Fatal(err)
			}
			corpus, err := lab.Encode(t.Context(), &hashing{}, set, []lab.Passages{how}, nil)
			if err != nil {
				t.Fatal(err)
			}
			encoded, columns, err := lab.Columns(t.Context(), corpus, &set.Queries[0], fusion.Simple, how)
			if err != nil {
				t.Fatal(err)
			}
			for term, column := range columns {
				for i, d := range docs {
					if want := naive(d, how, encoded.Vectors[term]); math.Abs(float64(column[i])-want) > 1e-6 {
						t.Errorf("document %s, term %d: got %v, want %v", d.ID, term, column[i], want)
					}
				}
			}
		})
	}
}

// Texts that no way needs are not encoded, and no text is encoded twice.
func TestEncodesWhatIsNeeded(t *testing.T) {
	wholes := []string{"document: Up. A house flies. Balloons carry it. A boy comes along.", "document: Heat A heist goes wrong.", "document: No title, one passage.", "document: No title. Two passages.", "document: A title alone"}
	passages := []string{"passage: A house flies.", "passage: Balloons carry it.", "passage: A boy comes along.", "passage: A heist goes wrong.", "passage: No title, one passage.", "passage: No title.", "passage: Two passages."}
	titles := []string{"passage: Up.", "passage: Heat", "passage: A title alone"}
	for _, c := range []struct {
		ways []lab.Passages
		want []string
	}{
		{[]lab.Passages{lab.Whole}, wholes},
		{[]lab.Passages{lab.MeanMax}, slices.Concat(wholes, passages)},
		{[]lab.Passages{lab.WholeMax}, slices.Concat(wholes, passages, titles)},
		{[]lab.Passages{lab.Whole, lab.MeanMax, lab.WholeMax}, slices.Concat(wholes, passages, titles)},
	} {
		e := &hashing{}
		if _, err := lab.Encode(t.Context(), e, setOf(films), c.ways, nil); err != nil {
			t.Fatal(err)
		}
		slices.Sort(e.asked)
		want := slices.Sorted(slices.Values(c.want))
		if !slices.Equal(e.asked, want) {
			t.Errorf("%v: encoded\n%s\nwant\n%s", c.ways, strings.Join(e.asked, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A way whose vectors were not computed is an error; no other way is used instead.
func TestMissingVectors(t *testing.T) {
	set := setOf(films, "red")
	for _, c := range []struct {
		encoded, how lab.Passages
		want         string
	}{
		{lab.MeanMax, lab.WholeMax, "no title vectors"},
		{lab.Whole, lab.MeanMax, "no passage vectors"},
	} {
		corpus, err := lab.Encode(t.Context(), &hashing{}, set, []lab.Passages{c.encoded}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := corpus.Searcher(c.how); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.how, err, c.want)
		}
	}
}

func TestParsePassages(t *testing.T) {
	for _, c := range []struct {
		word, err string
		want      lab.Passages
	}{
		{"whole", "", lab.Whole},
		{"meanmax", "", lab.MeanMax},
		{"wholemax", "", lab.WholeMax},
		{"stored", "", lab.Stored},
		{"some", "it is one of whole, meanmax, wholemax, stored", 0},
		{"", "unknown way", 0},
	} {
		got, err := lab.ParsePassages(c.word)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: got error %v, want %q", c.word, err, c.err)
			}
			continue
		}
		if err != nil || got != c.want || got.String() != c.word {
			t.Errorf("%q: got %s, %v; want %s", c.word, got, err, c.want)
		}
	}
}
