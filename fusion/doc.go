// Package fusion implements the paper's fusion operator ∪ (section 4.2). It turns the
// terms of a formula into the strings to encode or, for atoms without text, into sums of
// vectors.
//
// A Plan is made once per query. It lists each distinct string once, so one batch call
// encodes a query. It then arranges the vectors in the order of the formula's terms. The
// package knows about strings and vectors; it never scores, and never calls an encoder.
package fusion
