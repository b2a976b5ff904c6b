// Package descriptors tells how many files and connections this process may have open
// at once. What they are it does not know.
package descriptors

// many stands for no limit that matters.
const many = 1 << 20

// Limit is that of the process, which Go has raised as far as it may be.
func Limit() int { return limit() }
