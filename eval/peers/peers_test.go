package peers

import (
	"math"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

var texts = []string{
	"a dog runs after a ball",
	"the dog's leash, and a dog",
	"a cat asleep",
	"dogs and cats with balls",
}

// newLexicon indexes each text as a document of one passage.
func newLexicon() *Lexicon {
	passages := make([][]string, len(texts))
	for i, text := range texts {
		passages[i] = []string{text}
	}
	return NewLexicon(make([]string, len(texts)), passages)
}

// A passage about a topic counts in addition to the whole.
func TestPassages(t *testing.T) {
	long := "nothing of interest here at all today or on any other day of the week"
	l := NewLexicon([]string{"", ""}, [][]string{{long, long, "a dog"}, {long + " " + long + " a dog"}})
	if s := l.Shares("dog"); !(s[0] > s[1]) || s[0] > 1 {
		t.Errorf("got shares %v", s)
	}
}

func formula(t *testing.T, text string) *query.Formula {
	t.Helper()
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestBM25 compares with the definition for one word.
func TestBM25(t *testing.T) {
	l := newLexicon()
	idf := math.Log(1 + (4-3+0.5)/(3+0.5)) // dog is in three of four texts
	mean := (6.0 + 6 + 3 + 5) / 4
	want := []float64{
		idf * 1 * 2.2 / (1 + 1.2*(0.25+0.75*6/mean)),
		idf * 2 * 2.2 / (2 + 1.2*(0.25+0.75*6/mean)),
		0,
		idf * 1 * 2.2 / (1 + 1.2*(0.25+0.75*5/mean)),
	}
	for d, got := range l.BM25("Dogs") {
		if math.Abs(got-want[d]) > 1e-12 {
			t.Errorf("document %d: got %v, want %v", d, got, want[d])
		}
	}
}

func TestRankings(t *testing.T) {
	l := newLexicon()
	for text, want := range map[string][]int{
		"dog AND NOT leash": {3, 0, 1, 2},
		"dog AND ball":      {3, 0, 1, 2},
		"cat OR leash":      {1, 2, 3, 0},
	} {
		r := l.Boolean(formula(t, text))
		if got := r.Order(); r[got[0]] == 0 || text != "cat OR leash" && got[0] != want[0] {
			t.Errorf("%s: got order %v with scores %v, want %v", text, got, r, want)
		}
	}
	if r := l.Boolean(formula(t, "dog AND NOT leash")); r[1] >= r[0] || r[2] != 0 {
		t.Errorf("dog AND NOT leash: got %v", r)
	}
	// A bag-of-words search is attracted by the excluded word.
	if r := l.Words(formula(t, "dog AND NOT leash")); r.Order()[0] != 1 {
		t.Errorf("words of dog AND NOT leash: got %v", r)
	}
	if got := l.Contains("balls dog"); !slices.Equal(got, []bool{true, false, false, true}) {
		t.Errorf("documents with dog and ball: got %v", got)
	}
	if got := l.Contains("zebra"); slices.Contains(got, true) {
		t.Errorf("documents with zebra: got %v", got)
	}
}

func TestJoined(t *testing.T) {
	a, b := Ranking{3, 2, 1, 0}, Ranking{0, 5, 4, 0}
	if got := Reciprocal(a, b).Order(); !slices.Equal(got, []int{1, 2, 0, 3}) {
		t.Errorf("by ranks: got %v", got)
	}
	if got := Linear(a, b); math.Abs(got[1]-(2.0/3+1)/2) > 1e-12 || got[3] != 0 {
		t.Errorf("by scores: got %v", got)
	}
	if got := (Ranking{1, 0, 1, 0}).WithTies(Ranking{0, 3, 5, 1}).Order(); !slices.Equal(got, []int{2, 0, 1, 3}) {
		t.Errorf("with ties: got %v", got)
	}
}
