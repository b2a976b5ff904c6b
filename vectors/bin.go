package vectors

import "slices"

// newBin reads the header of the big-ann-benchmarks' files: the number of rows
// and the dimension, of four bytes each.
func newBin(src *source, format Format, limit int) (*matrix, error) {
	head := slices.Clone(src.head())
	var h [8]byte
	if err := src.header(h[:], format); err != nil {
		return nil, err
	}
	return newMatrix(src, uint64(little.Uint32(h[:])), uint64(little.Uint32(h[4:])), elements[format], limit, head)
}
