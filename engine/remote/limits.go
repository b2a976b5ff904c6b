package remote

import "fmt"

// TooFew says of a pool of a larger collection that it has not all that was wanted.
func TooFew(looked int) string {
	return fmt.Sprintf("the engine cannot apply all of the filter, or its index has overlooked documents: of the rest those were looked at, %d, that it has nearest", looked)
}
