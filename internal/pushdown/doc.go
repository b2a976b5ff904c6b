// Package pushdown translates a formula's score for systems that store the vectors: SQL for
// pgvector, and scripts for OpenSearch.
//
// A compiled program becomes a tree of expressions (Score), which each target prints in its own
// language. The package writes requests but never sends one, and must never
// know a store or an encoder.
package pushdown
