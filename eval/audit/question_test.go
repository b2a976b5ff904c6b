package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// pets are six documents: none, a cat, a dog, a cat and a dog, a dog on a leash, all.
var pets = &labelled{
	names:  []string{"cat", "dog", "leash"},
	number: map[string]int{"cat": 0, "dog": 1, "leash": 2},
	of:     [][]int{{}, {0}, {1}, {0, 1}, {1, 2}, {0, 1, 2}},
}

func TestQuestion(t *testing.T) {
	for _, c := range []struct {
		formula, truth string
		positive       string // or the error
		negated        []int
		fits, right    []int // documents
	}{
		{"a dog AND NOT leash", "dog AND NOT leash", "a dog", []int{2}, []int{2, 3, 4, 5}, []int{2, 3}},
		{"dog AND cat AND NOT leash", "dog AND cat AND NOT leash", "dog AND cat", []int{2}, []int{3, 5}, []int{3}},
		{"dog AND NOT cat AND NOT leash", "dog AND NOT cat AND NOT leash", "dog", []int{0, 2}, []int{2, 3, 4, 5}, []int{2}},
		{"dog AND NOT (cat OR leash)", "dog AND NOT (cat OR leash)", "dog", []int{0, 2}, []int{2, 3, 4, 5}, []int{2}},
		{"(dog AND NOT leash) OR cat", "(dog AND NOT leash) OR cat", "dog OR cat", []int{2}, []int{1, 2, 3, 4, 5}, []int{1, 2, 3}},
		{"NOT dog", "NOT dog", "only negative", nil, nil, nil},
		{"dog AND NOT (cat AND leash)", "dog AND NOT (cat AND leash)", "only negative", nil, nil, nil},
		{"cat OR NOT dog", "cat OR NOT dog", "only negative", nil, nil, nil},
		{"dog AND NOT bird", "dog AND NOT bird", `no document has the label "bird"`, nil, nil, nil},
	} {
		n, err := newQuestion(pets, &sets.Query{Formula: c.formula, Truth: c.truth})
		if err != nil {
			if c.negated != nil || !strings.Contains(err.Error(), c.positive) {
				t.Errorf("%s: %v", c.formula, err)
			}
			continue
		}
		var right []int
		for _, i := range n.right {
			right = append(right, n.fits[i])
		}
		if n.positive != c.positive || !slices.Equal(n.negated, c.negated) || !slices.Equal(n.fits, c.fits) || !slices.Equal(right, c.right) {
			t.Errorf("%s: positive %q, negated %v, fits %v, right %v", c.formula, n.positive, n.negated, n.fits, right)
		}
	}
	if n, err := newQuestion(pets, &sets.Query{Formula: "dog AND cat", Truth: "dog AND cat"}); n != nil || err != nil {
		t.Errorf("nothing is negated: %v, %v", n, err)
	}
}

// Who has a label is counted apart from what a query names.
func TestQuestionLabels(t *testing.T) {
	n, err := newQuestion(pets, &sets.Query{Formula: "dog AND NOT leash", Truth: "dog AND NOT leash"})
	if err != nil {
		t.Fatal(err)
	}
	// Of documents 2, 3, 4, 5 the cats are 3 and 5, of 2 and 3 it is 3.
	if len(n.among) != 1 || !slices.Equal(n.among[0], []int{1, 3}) || len(n.with) != 1 || !slices.Equal(n.with[0], []int{1}) {
		t.Errorf("cats: %v, among the right answers %v", n.among, n.with)
	}
	if n.supports(0) {
		t.Error("one right answer with a label is not enough")
	}
}

func TestPhrases(t *testing.T) {
	set := &sets.Set{Queries: []sets.Query{
		{Formula: "pictures of cats AND dog^2", Truth: "cat AND dog"}, // weighted
		{Formula: "cats OR dogs OR leashes", Truth: "cat AND dog"},    // of another form
		{Formula: "a dog AND NOT (a leash OR x)", Truth: "dog AND NOT (leash OR unknown)"},
		{Formula: "doggies AND NOT cats", Truth: "dog AND NOT cat"},
	}}
	got := phrases(pets, set)
	if len(got) != 3 || got[0] != "cats" || got[1] != "a dog" || got[2] != "a leash" {
		t.Errorf("phrases are %v", got)
	}
}

func TestDraw(t *testing.T) {
	var pairs [][2]int
	for i := range 50 {
		pairs = append(pairs, [2]int{i, -i})
	}
	counts := make([]int, 50)
	for seed := range uint64(2000) {
		last := -1
		for _, p := range draw(pairs, 10, seed) {
			if p[0] <= last || p[1] != -p[0] {
				t.Fatalf("seed %d: %v is out of order or was not there", seed, p)
			}
			last = p[0]
			counts[last]++
		}
	}
	for i, n := range counts { // 400 are expected, with a standard deviation of 18
		if n < 320 || n > 480 {
			t.Errorf("pair %d was drawn %d times of 2000", i, n)
		}
	}
}
