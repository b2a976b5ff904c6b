// Package vec computes over vectors laid out flat in memory, row after row:
// inner products of float32 rows, of int8 rows and of sign bits with up to
// eight query vectors in one pass, inner products of scattered rows, and the
// selection of the k largest of a column.
//
// It knows numbers and nothing else. Documents, files, metadata, encoders and
// the meaning of a score are its callers' business; it starts no goroutine and
// takes no lock. Shapes that do not fit are a caller's mistake and panic, as an
// index out of range does; values that come from outside are answered with an
// error.
//
// On amd64 with AVX2 and FMA the inner loops are assembly, elsewhere and with
// the build tag noasm they are the Go loops of twin.go, which specify them.
// SIMD.md tells how the assembly is made and tested.
package vec
