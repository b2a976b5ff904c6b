package sets

import (
	"fmt"

	"github.com/nsfl-go/nsfl/query"
)

// shape is the form of a template: a disjunction of atoms, or a conjunction of positive
// atoms followed by negated ones.
type shape struct {
	name     string
	or       bool
	pos, neg int
}

var shapes = [...]shape{
	{"A AND B", false, 2, 0},
	{"A AND B AND C", false, 3, 0},
	{"A AND NOT B", false, 1, 1},
	{"A AND B AND NOT C", false, 2, 1},
	{"A OR B", true, 2, 0},
	{"A OR B OR C", true, 3, 0},
}

// Templates are the six of the paper, in the order of its tables.
var Templates = func() (names [len(shapes)]string) {
	for i, s := range shapes {
		names[i] = s.name
	}
	return names
}()

// Single is the template of a query with one atom. QUEST has it; the paper's
// tables do not.
const Single = "A"

// TemplateOf returns the template that a formula matches: one of Templates, Single, or an
// empty string.
func TemplateOf(n query.Node) string {
	n = query.NNF(n)
	if query.IsAtom(n) {
		return Single
	}
	var found shape
	switch n := n.(type) {
	case *query.And:
		for _, part := range n.Parts {
			if not, ok := part.(*query.Not); ok && query.IsAtom(not.X) {
				found.neg++
			} else if query.IsAtom(part) {
				found.pos++
			} else {
				return ""
			}
		}
	case *query.Or:
		if !query.AreAtoms(n.Parts) {
			return ""
		}
		found.or, found.pos = true, len(n.Parts)
	}
	for _, s := range shapes {
		if found.name = s.name; found == s {
			return s.name
		}
	}
	return ""
}

// formula inserts atoms into the shape. It fails if an atom cannot be written in the query
// language, or is too long for it.
func (s shape) formula(atoms []string) (query.Node, error) {
	parts := make([]query.Node, len(atoms))
	for i, text := range atoms {
		parts[i] = &query.Atom{Text: text}
		if i >= s.pos {
			parts[i] = &query.Not{X: parts[i]}
		}
	}
	n := query.AllOf(parts...)
	if s.or {
		n = query.AnyOf(parts...)
	}
	back, err := query.Parse(n.String())
	if err != nil {
		return nil, fmt.Errorf("making a formula of %q: %w", atoms, err)
	}
	if !query.Same(n, back) {
		return nil, fmt.Errorf("making a formula of %q: they cannot be written in the query language", atoms)
	}
	return n, nil
}
