package vec

// FindMax is the maximum number of targets of Find.
const FindMax = 8

// Find returns the index of the first of numbers that is one of targets, or len(numbers) if
// there is none. It accepts up to FindMax targets.
func Find(numbers, targets []uint16) int {
	if len(targets) == 0 || len(numbers) == 0 {
		return len(numbers)
	}
	var all [FindMax]uint16
	n := copy(all[:], targets)
	for i := n; i < FindMax; i++ {
		all[i] = targets[0]
	}
	return find(numbers, &all)
}
