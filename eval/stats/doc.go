// Package stats compares two methods over the same queries: whether one is better, by how
// much, and how certain that is. It has the Wilcoxon signed-rank test, bootstrap intervals
// of a mean, a difference and a relative gain, and Holm's correction for multiple comparisons.
//
// Base always comes first and method second, element by element for the same query, and a
// difference is method − base. Results state their assumptions and methods, and warn when a
// number means little.
//
// The package sees only numbers. It does not know what they measure, and imports only the
// standard library.
package stats
