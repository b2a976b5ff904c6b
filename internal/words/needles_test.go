package words

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// TestNeedles checks that needles are the terms of all atoms in all their forms, rarest first,
// without terms that are much more common than the rest of their atom.
func TestNeedles(t *testing.T) {
	s := NewStatistics()
	for range 50 {
		s.Add(Pieces([]string{"a dog with a ball"}))
	}
	s.Add(Pieces([]string{"an axolotl with a dog"}))
	s.Add(Pieces([]string{"a leash"}))
	needles := NewQuery([]string{"a leash with an axolotl", "dogs", ""}, s).Needles()
	var texts []string
	for _, n := range needles {
		texts = append(texts, shared().text(n.Forms[0]))
		for _, form := range n.Forms {
			if doc := Pieces([]string{shared().text(form)}); !slices.Equal(doc, form) {
				t.Errorf("%v is %v in a document", form, doc)
			}
		}
	}
	if !slices.IsSortedFunc(needles, func(a, b Needle) int { return cmp.Compare(b.Weight, a.Weight) }) || texts[len(texts)-1] != "dog" {
		t.Errorf("%q are not in the order of their weights", texts)
	}
	slices.Sort(texts)
	if got := strings.Join(texts, " "); got != "axolotl dog leash" {
		t.Errorf("got the needles %s, want axolotl dog leash", got)
	}
	if n := NewQuery([]string{"", "?!"}, s).Needles(); len(n) != 0 {
		t.Errorf("%v of no words", n)
	}
}
