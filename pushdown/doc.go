// Package pushdown writes a formula's score in the languages of other systems, so that the
// score is computed where the vectors are: SQL over pgvector, the scripts of Elasticsearch and
// OpenSearch, and Qdrant's formulas.
//
// A compiled program becomes one small tree of expressions (Score), which Eval computes here
// and each target prints in its own words. It knows formulas, and texts of requests; it never
// sends one, and knows no store and no encoder.
package pushdown
