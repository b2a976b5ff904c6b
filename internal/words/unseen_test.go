package words

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestUnheard checks that a document without any of the needles looked up scores no more than
// the bound.
func TestUnheard(t *testing.T) {
	texts := []string{
		"a puppy on a lead", "dogs and balls", "the dogged leashed hound", "kerberos tickets", "a cat", "no dog here, without a ball",
		"doglike balloons", "a house by the sea, a dog at the door", "leash, leashes, lead, rope", "ticket to the ball game", "",
	}
	s := NewStatistics()
	var all [][]uint16
	for _, text := range texts {
		pieces := Pieces([]string{text})
		s.Add(pieces)
		all = append(all, pieces)
	}
	r := rand.New(rand.NewPCG(3, 3))
	unheard, lower := 0, 0
	for _, atoms := range [][]string{{"dog", "ball"}, {"kerberos ticket", "leash"}, {"dog on a leash", "no dog", "house"}} {
		q := NewQuery(atoms, s)
		for range 20 {
			var looked []Needle
			for _, n := range q.Needles() {
				if r.IntN(2) == 0 {
					looked = append(looked, n)
				}
			}
			most := q.UnseenBounds(looked)
			for a := range most {
				if most[a] < 0.99 {
					lower++
				}
			}
			reader, line := q.NewReader(), make([]float32, len(atoms))
			for i, pieces := range all {
				has := func(n Needle) bool {
					return slices.ContainsFunc(n.Written, func(w string) bool {
						return slices.Contains(strings.FieldsFunc(strings.ToLower(texts[i]), func(r rune) bool { return r < 'a' || r > 'z' }), w)
					})
				}
				if slices.ContainsFunc(looked, has) {
					continue
				}
				unheard++
				reader.Read(line, pieces)
				for a, x := range line {
					if x > most[a]+1e-6 {
						t.Errorf("%q has %v of %q, and at most %v was expected of what was not heard", texts[i], x, atoms[a], most[a])
					}
				}
			}
		}
	}
	if unheard == 0 || lower == 0 {
		t.Error("nothing is tested")
	}
}
