package audit

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/query"
)

// own are the negated queries of a set, as questions too, and why some could not be
// taken.
func own(c *labelled, set *sets.Set) (questions []*question, queries []sets.Query, notes []string) {
	left, first := 0, ""
	for i := range set.Queries {
		q := &set.Queries[i]
		if q.Truth == "" {
			continue
		}
		n, err := newQuestion(c, q)
		if err != nil {
			if left++; first == "" {
				first = fmt.Sprintf("query %s: %v", q.ID, err)
			}
			continue
		}
		if n != nil {
			questions, queries = append(questions, n), append(queries, *q)
		}
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%s of the set could not be audited (%s).", count(left, "query", "queries"), first))
	}
	return questions, queries, notes
}

// probes are A AND NOT B for all labels that the set's queries have words for.
func probes(c *labelled, set *sets.Set, seed uint64) (questions []*question, notes []string, err error) {
	words := phrases(c, set)
	var labels []int
	for l := range c.names {
		if words[l] != "" {
			labels = append(labels, l)
		}
	}
	having := make([][]int, len(c.names))
	for document, of := range c.of {
		for _, l := range of {
			having[l] = append(having[l], document)
		}
	}
	var chosen [][2]int
	for _, a := range labels {
		for _, b := range labels {
			both := 0
			for _, document := range having[a] {
				if c.has(document, b) {
					both++
				}
			}
			if a != b && both >= MinRemoved && len(having[a])-both >= MinClean {
				chosen = append(chosen, [2]int{a, b})
			}
		}
	}
	if n := len(chosen); n > MaxProbes {
		chosen = draw(chosen, MaxProbes, seed)
		notes = append(notes, fmt.Sprintf("Of %d possible queries %d were drawn.", n, MaxProbes))
	}
	for _, p := range chosen {
		formula := func(a, b string) string {
			return (&query.And{Parts: []query.Node{&query.Atom{Text: a}, &query.Not{X: &query.Atom{Text: b}}}}).String()
		}
		q := sets.Query{Formula: formula(words[p[0]], words[p[1]]), Truth: formula(c.names[p[0]], c.names[p[1]])}
		n, err := newQuestion(c, &q)
		if err != nil {
			return nil, nil, fmt.Errorf("asking %s: %w", q.Formula, err)
		}
		questions = append(questions, n)
	}
	return questions, notes, nil
}

// draw keeps n of the pairs, each with the same chance, in their order.
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

// phrases are how the set's queries call its labels: where a formula and its truth
// have the same form, the atom in place of the label. The first one counts.
func phrases(c *labelled, set *sets.Set) map[int]string {
	out := map[int]string{}
	for i := range set.Queries {
		formula, err := query.Parse(set.Queries[i].Formula)
		if err != nil {
			continue
		}
		truth, err := query.Parse(set.Queries[i].Truth)
		if err != nil || !alike(formula, truth) {
			continue
		}
		var texts []string
		for a := range query.Atoms(formula) {
			texts = append(texts, a.Text)
		}
		for a := range query.Atoms(truth) {
			if l, known := c.number[a.Text]; known && out[l] == "" {
				out[l] = texts[0]
			}
			texts = texts[1:]
		}
	}
	return out
}

// alike reports whether two formulas of plain atoms have the same form.
func alike(a, b query.Node) bool {
	switch a := a.(type) {
	case *query.Atom:
		b, ok := b.(*query.Atom)
		return ok && a.Kind == query.Text && b.Kind == query.Text && a.Importance() == 1 && b.Importance() == 1
	case *query.Not:
		b, ok := b.(*query.Not)
		return ok && alike(a.X, b.X)
	case *query.And:
		b, ok := b.(*query.And)
		return ok && slices.EqualFunc(a.Parts, b.Parts, alike)
	case *query.Or:
		b, ok := b.(*query.Or)
		return ok && slices.EqualFunc(a.Parts, b.Parts, alike)
	}
	return false
}
