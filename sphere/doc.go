// Package sphere turns a formula into a single query vector: Spherical Query Optimization,
// section 7 of the paper. Any vector engine can search with it.
//
// The paper maximises the formula's score f(x) over the unit sphere by gradient steps in
// all d dimensions (RSGD). But f depends on x only through its cosines to the k vectors of
// the formula, so only the component of x in their span matters. Exact works in those k
// dimensions and, for conjunctions of any kind, finds the global maximum by linear algebra.
// Geometric implements the baselines that the paper compares with.
//
// The package knows about vectors and functions of cosines, but not about documents,
// strings or scores over a pool. It does not import the calculus: it optimizes any
// Objective.
package sphere
