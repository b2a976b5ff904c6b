// Package descriptors reports how many files and connections this process may have open.
// It does not know what they are for.
package descriptors

// many stands for no practical limit.
const many = 1 << 20

// Limit returns the limit of the process, which Go has raised as far as allowed.
func Limit() int { return limit() }
