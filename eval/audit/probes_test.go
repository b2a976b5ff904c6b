package audit

import (
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// pets has six documents: no label, a cat, a dog, a cat and a dog, a dog on a leash, all three.
var pets = &labelled{
	names:  []string{"cat", "dog", "leash"},
	number: map[string]int{"cat": 0, "dog": 1, "leash": 2},
	of:     [][]int{{}, {0}, {1}, {0, 1}, {1, 2}, {0, 1, 2}},
}

func TestProbe(t *testing.T) {
	const cat, dog, leash = 0, 1, 2
	n := newProbe(pets, dog, leash, []int{2, 3, 4, 5})
	// Of the dogs, 2 and 3 have no leash, and 3 is with a cat.
	if !slices.Equal(n.right, []int{2, 3}) || n.negated != leash || len(n.with) != 1 || !slices.Equal(n.with[cat], []int{1}) {
		t.Errorf("got right answers %v, with labels %v", n.right, n.with)
	}
	if n.supports(cat) {
		t.Error("one right answer with a label is not enough")
	}
}

func TestPhrases(t *testing.T) {
	set := &sets.Set{Queries: []sets.Query{
		{Formula: "pictures of cats AND dog^2", Truth: "cat AND dog"}, // weighted
		{Formula: "cats OR dogs OR leashes", Truth: "cat AND dog"},    // different form
		{Formula: "kitten AND NOT puppy", Truth: "cat AND dog"},       // different negations
		{Formula: "a dog AND NOT (a leash OR x)", Truth: "dog AND NOT (leash OR unknown)"},
		{Formula: "doggies AND NOT cats", Truth: "dog AND NOT cat"},
	}}
	got := phrases(pets, set)
	if len(got) != 3 || got[0] != "cats" || got[1] != "a dog" || got[2] != "a leash" {
		t.Errorf("got phrases %v", got)
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
				t.Fatalf("seed %d: %v is out of order or was not in the input", seed, p)
			}
			last = p[0]
			counts[last]++
		}
	}
	for i, n := range counts { // expected 400, with a standard deviation of 18
		if n < 320 || n > 480 {
			t.Errorf("pair %d was drawn %d times out of 2000, want about 400", i, n)
		}
	}
}
