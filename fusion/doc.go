// Package fusion realises the paper's fusion operator ∪ (section 4.2): it
// turns the terms of a formula into the strings that an encoder is given, or,
// where an atom has no words, into sums of vectors.
//
// A Plan is made once per query. It lists each distinct string once, so that
// one batch call encodes a query, and afterwards arranges the vectors in the
// order of the formula's terms. The package knows strings and vectors; it
// never scores, and it never calls an encoder.
package fusion
