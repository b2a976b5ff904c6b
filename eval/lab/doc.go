// Package lab runs experiments: it ranks the documents of an evaluation set for each of
// its queries by several methods, and measures the rankings.
//
// Vectors come from an encoder, computed once and cached, or from files. All methods use
// the same vectors, and a run with the same inputs gives the same figures to the last
// digit.
//
// The package knows about sets, vectors and retrieval, but not about how figures are
// shown.
package lab
