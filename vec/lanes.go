package vec

// LaneCount is how many columns a table of lanes has.
const LaneCount = 16

// Lanes looks up, for each number, a row of a table, and raises each byte of acc to the
// largest one in its column. It stops before the first number that is at most stop, and
// returns how many it has looked up. The table has a row for every number that occurs.
func Lanes(acc *[LaneCount]byte, table [][LaneCount]byte, numbers []uint16, stop uint16) int {
	if len(numbers) == 0 {
		return 0
	}
	if len(table) < 1<<16 { // so that no number is outside of it
		panic("vec: the table of lanes is too short")
	}
	return lanesOf(acc, table, numbers, stop)
}
