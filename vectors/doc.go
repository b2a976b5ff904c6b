// Package vectors reads and writes files of vectors, with or without the
// documents they belong to, that users bring or take away. It goes through a file
// row by row, so that files larger than memory work.
//
//	npy          f4, f2, f8, i1, u1, either byte order
//	safetensors  F32, F16, BF16, F64, I8, U8
//	parquet      a column of lists of numbers, beside ids, texts and metadata
//	jsonl        an object on each line; may be compressed with gzip
//
// Arrays and tensors have two axes, rows and dimension; one axis is one vector.
// JSON lines and parquet also hold ids, titles, texts, passages and metadata (see
// Fields); a field or column that is none of these becomes a field of the metadata.
//
// Numbers become float32 as they are: rows of int8 are integers from −128 to 127,
// and nothing is scaled or brought to length 1. That is the caller's to do, and so
// is giving ids to the rows of formats that have none.
//
// What a file says of itself is believed only as far as its bytes or fixed limits
// bear it out, so that a header that lies does not fill the memory; and nothing in
// a file is executed.
//
// The package knows what a document is. It must never know collections, encoders or
// formulas. It reads what is
// there; what becomes of it is decided elsewhere.
package vectors
