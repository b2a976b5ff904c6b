package audit

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/query"
)

// probe is a query A AND NOT B, and the documents it concerns.
type probe struct {
	formula, positive string // the whole query, and A
	negated           int    // B, as a label

	right  []int         // the right answers
	with   map[int][]int // indexes into right by label, without A, which all have
	before []float32     // percentiles of right by A, 0 is best
	after  [][]float32   // percentiles by the whole query, for each cap
}

// ask makes queries A AND NOT B of all labels that occur in the set's queries.
func ask(c *labelled, set *sets.Set, seed uint64) (probes []*probe, notes []string) {
	words := phrases(c, set)
	having := make([][]int, len(c.names))
	for document, of := range c.of {
		for _, l := range of {
			having[l] = append(having[l], document)
		}
	}
	var chosen [][2]int
	for a := range c.names {
		for b := range c.names {
			if a == b || words[a] == "" || words[b] == "" {
				continue
			}
			both := 0
			for _, document := range having[a] {
				if c.has(document, b) {
					both++
				}
			}
			if both >= MinRemoved && len(having[a])-both >= MinClean {
				chosen = append(chosen, [2]int{a, b})
			}
		}
	}
	if n := len(chosen); n > MaxProbes {
		chosen = draw(chosen, MaxProbes, seed)
		notes = append(notes, fmt.Sprintf("%[2]d of %[1]d possible queries were drawn.", n, MaxProbes))
	}
	for _, pair := range chosen {
		a, b := pair[0], pair[1]
		n := newProbe(c, a, b, having[a])
		wanted := &query.Atom{Text: words[a]}
		n.positive, n.formula = wanted.String(), query.AllOf(wanted, &query.Not{X: &query.Atom{Text: words[b]}}).String()
		probes = append(probes, n)
	}
	return probes, notes
}

// newProbe finds the right answers among the documents with a, and their labels.
func newProbe(c *labelled, a, b int, fits []int) *probe {
	n := &probe{negated: b, with: map[int][]int{}}
	for _, document := range fits {
		if c.has(document, b) {
			continue
		}
		for _, l := range c.of[document] {
			if l != a {
				n.with[l] = append(n.with[l], len(n.right))
			}
		}
		n.right = append(n.right, document)
	}
	return n
}

// supports reports whether enough right answers have and lack a label.
func (n *probe) supports(label int) bool {
	with := len(n.with[label])
	return with >= MinSide && len(n.right)-with >= MinSide
}

// draw keeps n of the pairs, each with the same probability, in their order.
func draw(pairs [][2]int, n int, seed uint64) [][2]int {
	random := rand.NewPCG(seed, 0)
	at := make([]int, len(pairs))
	for i := range at {
		at[i] = i
	}
	for i := range n {
		k, _ := bits.Mul64(random.Uint64(), uint64(len(at)-i))
		at[i], at[i+int(k)] = at[i+int(k)], at[i]
	}
	at = at[:n]
	slices.Sort(at)
	var out [][2]int
	for _, i := range at {
		out = append(out, pairs[i])
	}
	return out
}

// phrases maps labels to the atoms that stand for them in the set's queries. If a formula
// and its truth have the same number of plain atoms with the same negations, atoms and labels
// correspond. The first phrase of a label counts.
func phrases(c *labelled, set *sets.Set) map[int]string {
	out := map[int]string{}
	for _, q := range set.Queries {
		said, ok := plainAtoms(q.Formula)
		meant, known := plainAtoms(q.Truth)
		if !ok || !known || !slices.EqualFunc(said, meant, func(a, b occurrence) bool { return a.negated == b.negated }) {
			continue
		}
		for i, o := range meant {
			if l, has := c.number[o.text]; has && out[l] == "" {
				out[l] = said[i].text
			}
		}
	}
	return out
}

// occurrence is an atom in a formula.
type occurrence struct {
	text    string
	negated bool
}

// plainAtoms returns the atoms of a formula; ok is false if one has a weight or is an
// example, or if the formula cannot be parsed.
func plainAtoms(formula string) (out []occurrence, ok bool) {
	n, err := query.Parse(formula)
	if err != nil {
		return nil, false
	}
	for a, nots := range query.Atoms(n) {
		if a.Kind != query.Text || a.Importance() != 1 {
			return nil, false
		}
		out = append(out, occurrence{a.Text, nots%2 == 1})
	}
	return out, true
}
