// Package vectors reads and writes files of vectors, with or without their documents. It
// reads a file row by row, so files may be larger than memory.
//
//	npy    f4, f2, f8, i1, u1, little-endian
//	jsonl  an object on each line; may be compressed with gzip
//
// Arrays have two axes, rows and dimension; one axis is one vector. JSON lines also hold ids,
// titles, texts, passages and metadata (see roles); any other field becomes metadata.
//
// Numbers are converted to float32 without scaling: rows of int8 are integers from −128 to 127.
// The caller normalizes vectors, and assigns ids to the rows of npy files.
//
// Sizes in a file are checked against its bytes or fixed limits before memory is allocated, and
// nothing in a file is executed.
//
// The package knows documents. It must never know collections, encoders or formulas.
package vectors
