// Package sphere makes one query vector of a formula: Spherical Query
// Optimization, section 7 of the paper. Any vector engine can search with it.
//
// The paper maximises the formula's score f(x) over the unit sphere by gradient
// steps in all d dimensions (RSGD). But f sees x only through its cosines to
// the k vectors of the formula, so all that matters of x lies in their span:
// Exact works in those k dimensions and, for conjunctions of any kind, finds
// the global maximum by linear algebra. The geometric baselines that the paper compares
// with (Geometric) stand beside it.
//
// The package knows vectors and functions of cosines. It has no notion of
// documents, strings or scores over a pool, and it does not import the
// calculus: whatever satisfies Objective will do.
package sphere
