package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// Kind is the shape of a formula, as far as operators are chosen by it.
type Kind string

// The kinds. The paper's templates are of the middle four.
const (
	Atom      Kind = "atom"
	And       Kind = "and"         // two or more wanted, nothing negated
	AndNot    Kind = "and-not"     // one wanted, others negated
	AndAndNot Kind = "and-and-not" // several wanted, others negated
	Or        Kind = "or"
	Against   Kind = "against" // nothing is wanted
	Nested    Kind = "nested"  // conjunctions of disjunctions and the like
)

// Kinds are all of them.
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

// KindOf tells the kind of a formula that has something to rank by.
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
