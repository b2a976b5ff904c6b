package attached

import "fmt"

// Limits are how many documents are compared without the index, where their vectors have to
// come over a network for that.
type Limits struct {
	Cheap int // where the index has another order than that of cosines
	Whole int // where it finds too few
}

// Usual are those that make a search take a second or so.
var Usual = Limits{Cheap: 5000, Whole: 20_000}

// TooFew says of a pool of a larger collection that it has not all that was wanted.
func TooFew(looked int) string {
	return fmt.Sprintf("the engine cannot apply all of the filter, or its index has overlooked documents: of the rest those were looked at, %d, that it has nearest", looked)
}
