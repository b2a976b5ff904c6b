package vec

// FindMax is how many numbers Find looks for.
const FindMax = 8

// Find is where the first of numbers stands that is one of targets, and their length where
// there is none. There are up to FindMax targets.
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
