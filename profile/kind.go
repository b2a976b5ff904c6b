package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// Kind is the shape of a formula, which determines its operators.
type Kind string

// The kinds. The paper's templates cover And, AndNot, AndAndNot and Or.
const (
	Atom      Kind = "atom"
	And       Kind = "and"         // two or more wanted atoms, none negated
	AndNot    Kind = "and-not"     // one wanted atom, others negated
	AndAndNot Kind = "and-and-not" // several wanted atoms, others negated
	Or        Kind = "or"
	Against   Kind = "against" // only negated parts
	Nested    Kind = "nested"  // other formulas, such as conjunctions of disjunctions
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Atom, And, AndNot, AndAndNot, Or, Against, Nested} }

func (k Kind) check() error {
	if slices.Contains(Kinds(), k) {
		return nil
	}
	var names []string
	for _, known := range Kinds() {
		names = append(names, string(known))
	}
	return fmt.Errorf("there is no kind of formula %q: there are %s", string(k), strings.Join(names, ", "))
}

// KindOf returns the kind of a formula. Its root must not be nil.
func KindOf(f *query.Formula) Kind {
	switch n := f.Root.(type) {
	case *query.Atom:
		return Atom
	case *query.Not:
		return Against
	case *query.Or:
		if query.AreAtoms(n.Parts) {
			return Or
		}
	case *query.And:
		c := query.ReadConjunction(n)
		switch {
		case len(c.Pos) == 0:
			return Against
		case !query.AreAtoms(c.Pos) || !query.AreAtoms(c.Neg):
		case len(c.Neg) == 0:
			return And
		case len(c.Pos) == 1:
			return AndNot
		default:
			return AndAndNot
		}
	}
	return Nested
}
