package query

// maxTruthAtoms limits the truth table of Constant.
const maxTruthAtoms = 12

// Constant reports whether a formula has the same truth value for all documents, read as
// plain logic: a contradiction such as A AND NOT A, or a tautology such as A OR NOT A.
// Formulas with more than 12 different atoms are not examined.
func Constant(n Node) (value, ok bool) {
	index := map[string]int{}
	for leaf := range Leaves(n) {
		key := unweighted(leaf).String()
		if _, seen := index[key]; !seen {
			index[key] = len(index)
		}
	}
	if len(index) == 0 || len(index) > maxTruthAtoms {
		return false, false
	}
	truth := func(row int) bool {
		return Holds(n, func(leaf Node) bool { return row>>index[unweighted(leaf).String()]&1 == 1 })
	}
	first := truth(0)
	for row := 1; row < 1<<len(index); row++ {
		if truth(row) != first {
			return false, false
		}
	}
	return first, true
}
