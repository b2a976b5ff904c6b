// Package stats compares two methods over the same queries: is one better, by how
// much, and how sure is that. It has the Wilcoxon signed-rank test, bootstrap
// intervals of a mean, a difference and a relative gain, means over queries that share
// documents, and Holm's and Benjamini and Hochberg's corrections for many comparisons.
//
// Everywhere base comes first and method second, element by element for the same
// query, and a difference is method − base. Results say what was assumed and done,
// and warn where a number means little.
//
// The package sees numbers only. It never knows what they measure, and imports
// nothing but the standard library.
package stats
