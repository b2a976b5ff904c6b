// Package lab runs experiments: it ranks the documents of an evaluation set for
// each of its queries by several methods, and measures the rankings.
//
// Vectors come from an encoder, computed once and cached, or from files. All
// methods then see the same vectors, and a run with the same inputs gives the same
// figures to the last digit.
//
// It knows sets, vectors and retrieval; how figures are shown is the business of
// others.
package lab
