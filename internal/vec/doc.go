// Package vec computes over vectors stored contiguously in memory, row after row: inner
// products of float32 and int8 rows with up to eight query vectors in one
// pass, inner products of scattered rows, and selection of the k largest values of a column.
//
// It knows about numbers only. Documents, files, metadata, encoders and the meaning of a
// score are up to its callers. It starts no goroutines and takes no locks. Shapes that do
// not match are a caller's mistake and panic, like an index out of range; invalid values
// from outside return an error.
//
// On amd64 with AVX2 and FMA the inner loops are assembly. Elsewhere, and with the build tag
// noasm, they are the Go loops in twin.go, which specify the assembly. SIMD.md describes how
// the assembly is generated and tested.
package vec
