// Package descriptors reports how many files and connections this process may have open.
// It does not know what they are for.
package descriptors

// many stands for no practical limit.
const many = 1 << 20
