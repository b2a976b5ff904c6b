package query

// maxTruthAtoms bounds the truth table of Constant.
const maxTruthAtoms = 12

// Constant reports whether a formula has the same truth for all documents, read as
// plain logic: a contradiction such as A AND NOT A, or a tautology such as A OR NOT
// A. Formulas of more than 12 different atoms are not looked at.
func Constant(n Node) (value, ok bool) {
	index := map[string]int{}
	Leaves(n, func(leaf Node) {
		key := unweighted(leaf).String()
		if _, seen := index[key]; !seen {
			index[key] = len(index)
		}
	})
	if len(index) == 0 || len(index) > maxTruthAtoms {
		return false, false
	}
	first := truth(n, index, 0)
	for row := 1; row < 1<<len(index); row++ {
		if truth(n, index, row) != first {
			return false, false
		}
	}
	return first, true
}

// truth is that of a formula where the atoms have those of the bits of a row.
func truth(n Node, index map[string]int, row int) bool {
	switch n := n.(type) {
	case *Not:
		return !truth(n.X, index, row)
	case *And:
		for _, p := range n.Parts {
			if !truth(p, index, row) {
				return false
			}
		}
		return true
	case *Or:
		for _, p := range n.Parts {
			if truth(p, index, row) {
				return true
			}
		}
		return false
	}
	return row>>index[unweighted(n).String()]&1 == 1
}
