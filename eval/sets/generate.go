package sets

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
)

// GenerateOptions configures the queries to generate. The zero value makes 600 queries like
// the paper's COCO-Logic, though not the same ones.
type GenerateOptions struct {
	Seed        uint64
	PerTemplate int // default: 100
	// MinRelevant is the minimum number of relevant documents per query; default: 10.
	MinRelevant int
	// MinRemoved is the minimum number of documents that the negated atom must remove, to
	// penalize systems that ignore NOT; default: 10.
	MinRemoved int
	// Atom is the wording of an atom, with {} for the label; default: the label itself.
	Atom string
}

// Generate makes queries of all Templates over the labels of documents: a uniform sample of
// all formulas with enough relevant documents and whose negation removes enough. The same
// documents and options give the same queries everywhere. The time grows with the cube of
// the number of labels.
func Generate(docs []Document, o GenerateOptions) ([]Query, error) {
	const doing = "generating queries"
	for _, v := range []*int{&o.PerTemplate, &o.MinRelevant, &o.MinRemoved} {
		if *v < 0 {
			return nil, fmt.Errorf("%s: %d is not a valid number of queries or documents", doing, *v)
		}
	}
	o.PerTemplate, o.MinRelevant, o.MinRemoved = cmp.Or(o.PerTemplate, 100), cmp.Or(o.MinRelevant, 10), cmp.Or(o.MinRemoved, 10)
	corpus := newLabelled()
	for _, d := range docs {
		if !corpus.add(d.ID, d.Labels, func(string) bool { return true }) {
			return nil, fmt.Errorf("%s: two documents have the id %q", doing, d.ID)
		}
	}
	g := generator{o: o, labels: sortedKeys(corpus.having)}
	for _, l := range g.labels {
		g.having = append(g.having, corpus.having[l])
	}
	var out []Query
	for i, s := range shapes {
		// Each template has its own random stream, so adding queries to one does not change the
		// others.
		found := g.sample(s, rand.NewPCG(o.Seed, uint64(i)))
		if len(found) < o.PerTemplate {
			need := fmt.Sprintf("%d relevant documents", o.MinRelevant)
			if s.neg > 0 {
				need += fmt.Sprintf(" and %d that NOT removes", o.MinRemoved)
			}
			return nil, fmt.Errorf("%s: %d formulas of the form %s have %s, but %d are requested; request fewer, or lower the minimum", doing, len(found), s.name, need, o.PerTemplate)
		}
		for _, atoms := range found {
			f, err := s.formula(atoms)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", doing, err)
			}
			worded, err := s.formula(o.worded(atoms))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", doing, err)
			}
			out = append(out, Query{
				ID:         fmt.Sprintf("q-%04d", len(out)),
				Template:   s.name,
				Formula:    worded.String(),
				Truth:      f.String(),
				judgements: matches{corpus, corpus.evaluate(f)},
			})
		}
	}
	return out, nil
}

// worded returns the atoms of labels.
func (o *GenerateOptions) worded(labels []string) []string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = strings.ReplaceAll(cmp.Or(o.Atom, "{}"), "{}", l)
	}
	return out
}

type generator struct {
	o      GenerateOptions
	labels []string
	having []*big.Int // by label
}

// sample enumerates all formulas of a shape and keeps PerTemplate of the valid ones, each
// with the same probability (reservoir sampling). The order of the positive atoms is random
// too.
func (g *generator) sample(s shape, random *rand.PCG) [][]string {
	below := func(n int) int {
		k, _ := bits.Mul64(random.Uint64(), uint64(n))
		return int(k)
	}
	var kept [][]int
	seen := 0
	g.each(s, func(labels []int) {
		seen++
		if len(kept) < g.o.PerTemplate {
			kept = append(kept, append([]int(nil), labels...))
		} else if k := below(seen); k < len(kept) {
			copy(kept[k], labels)
		}
	})
	out := make([][]string, len(kept))
	for i, labels := range kept {
		for j := s.pos - 1; j > 0; j-- {
			k := below(j + 1)
			labels[j], labels[k] = labels[k], labels[j]
		}
		for _, l := range labels {
			out[i] = append(out[i], g.labels[l])
		}
	}
	return out
}

// each calls f for every valid choice of labels: the positive ones in alphabetical order,
// then the negated one.
func (g *generator) each(s shape, f func(labels []int)) {
	chosen := make([]int, s.pos+s.neg)
	documents := make([]big.Int, s.pos) // of the labels chosen so far
	var positive func(depth, from int)
	positive = func(depth, from int) {
		for l := from; l < len(g.labels); l++ {
			chosen[depth] = l
			here := &documents[depth]
			switch {
			case depth == 0:
				here.Set(g.having[l])
			case s.or:
				here.Or(&documents[depth-1], g.having[l])
			default:
				here.And(&documents[depth-1], g.having[l])
			}
			enough := count(here) >= g.o.MinRelevant
			switch {
			case !enough && !s.or: // more atoms would only narrow it
			case depth+1 < s.pos:
				positive(depth+1, l+1)
			case s.neg > 0:
				g.negative(chosen, here, f)
			case enough:
				f(chosen)
			}
		}
	}
	positive(0, 0)
}

// negative calls f for every label that removes enough documents and leaves enough.
func (g *generator) negative(chosen []int, documents *big.Int, f func(labels []int)) {
	last := len(chosen) - 1
	all, both := count(documents), new(big.Int)
	for l := range g.labels {
		if slices.Contains(chosen[:last], l) {
			continue
		}
		removed := count(both.And(documents, g.having[l]))
		if removed >= g.o.MinRemoved && all-removed >= g.o.MinRelevant {
			chosen[last] = l
			f(chosen)
		}
	}
}
