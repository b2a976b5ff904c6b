// Package pushdown writes a formula's score in the languages of other systems, so that the
// score is computed where the vectors are: SQL over pgvector, the scripts of Elasticsearch and
// OpenSearch, and Qdrant's formulas.
//
// A compiled program becomes a tree of expressions (Score), which Eval evaluates and each target
// prints in its own language. The package writes requests but never sends one, and must never
// know a store or an encoder.
package pushdown
