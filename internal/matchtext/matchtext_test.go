package matchtext

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
)

func TestWords(t *testing.T) {
	a := retrieve.AtomWords{Atom: "golden retriever", Found: []words.Found{
		{Word: "golden", Matched: "golden", Similarity: 1},
		{Word: "retriever", Matched: "labrador", Similarity: 0.7137, Passage: 2},
		{Word: "ball", Matched: "balls", Similarity: 1, Passage: 1, Denied: true},
		{Word: "dog", Matched: "puppy", Similarity: 0.71, Passage: 1, Denied: true},
		{Word: "cat"},
	}}
	want := []string{
		"golden (title)", "retriever: labrador ~0.71 (passage 2)", "balls: ruled out by the text (passage 1)",
		"dog: puppy ~0.71, ruled out by the text (passage 1)", "cat: not found",
	}
	if got := Words(&a); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is far from the word that a document denies is not ruled out.
func TestAbsent(t *testing.T) {
	for similarity, want := range map[float64]string{1: "ruled out by the text: milk (passage 1)", 0.6: "ruled out by the text: milk (passage 1)", 0.02: ""} {
		a := retrieve.AtomWords{Atom: "cream", Negated: true, Share: -similarity / 4, Found: []words.Found{{Word: "cream", Matched: "milk", Similarity: similarity, Weight: 1, Passage: 1, Denied: true}}}
		h := retrieve.Hit{Words: []retrieve.AtomWords{a}}
		if got := Excluded(&a); got != want || (len(Absent(&h)) > 0) != (want != "") {
			t.Errorf("%v: %q, %v, want %q", similarity, got, Absent(&h), want)
		}
	}
}

func TestSum(t *testing.T) {
	for want, w := range map[string]logic.WordsOf{
		"0.816 by vectors + 0.800 by words = 1.616":   {Vectors: 0.816, Weight: 0.8, Lexical: 1},
		"0.300 by vectors − 0.200 by words = 0.100":   {Vectors: 0.3, Weight: 0.8, Lexical: -0.25},
		"-0.100 by vectors + 0.000 by words = -0.100": {Vectors: -0.1, Weight: 0.8},
	} {
		if got := Sum(&w); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestCopies(t *testing.T) {
	named := []retrieve.Copy{{ID: "b/LICENSE"}, {ID: "c/LICENSE", Title: "LICENSE"}, {ID: "d/LICENSE"}}
	for want, h := range map[string]retrieve.Hit{
		"":                                   {},
		"and a copy: b/LICENSE":              {Copies: named[:1], CopyCount: 1},
		"and 2 copies: b/LICENSE, c/LICENSE": {Copies: named[:2], CopyCount: 2},
		"and 3 copies: b/LICENSE, c/LICENSE, …":  {Copies: named, CopyCount: 3},
		"and 40 copies: b/LICENSE, c/LICENSE, …": {Copies: named, CopyCount: 40},
	} {
		if got := Copies(&h, 2); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPassages(t *testing.T) {
	denied := []words.Found{{Similarity: 1, Denied: true}}
	h := &retrieve.Hit{
		Passages: []retrieve.Snippet{{Text: "x", Atom: "a"}, {Text: "y", Atom: "b"}, {Text: "x", Atom: "c"}},
		Words:    []retrieve.AtomWords{{Atom: "a", Share: 1}, {Atom: "b", Share: -0.25, Found: denied}, {Atom: "n", Negated: true, Share: -0.1, Found: denied}, {Atom: "no c", Share: -0.1, Found: []words.Found{{Absent: true}}}},
	}
	got := Passages(h)
	if len(got) != 2 || got[0].Text != "x" || len(got[0].Atoms) != 2 || got[0].Atoms[1].Atom != "c" || got[1].Text != "y" {
		t.Errorf("passages %+v", got)
	}
	if absent := fmt.Sprint(Absent(h)); absent != "[b n]" {
		t.Errorf("absent: %s", absent)
	}
	if Name(&h.Words[2]) != "NOT n" || Name(&h.Words[0]) != "a" {
		t.Error("names")
	}
}

func TestExcluded(t *testing.T) {
	nuts := words.Found{Word: "nut", Matched: "nuts", Similarity: 1, Passage: 2, Weight: 0.9}
	in := words.Found{Word: "in", Matched: "in", Similarity: 1, Passage: 1, Weight: 0.1}
	denied, about, passing := nuts, nuts, nuts
	denied.Denied, about.About, passing.Mentions, passing.Passages = true, true, 2, 31
	for want, a := range map[string]retrieve.AtomWords{
		"":                                  {Share: 0, Found: []words.Found{{Word: "nut"}}},
		"mentions nuts":                     {Share: 0.1, Found: []words.Found{in, nuts}},
		"about nuts":                        {Share: 1, Found: []words.Found{in, about}},
		"mentions nuts in 2 of 31 passages": {Share: 0.1, Found: []words.Found{in, passing}},
		"ruled out by the text: nuts (passage 2)": {Share: -0.5, Found: []words.Found{in, denied}},
	} {
		if got := Excluded(&a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
