// Package nsfl implements Boolean search over embeddings: AND, OR and NOT for any encoder
// and any vector engine, after the paper "NSFL: A Post-Training Neuro-Symbolic Fuzzy
// Logic Framework for Boolean Operators in Neural Embeddings".
//
// Open opens a collection in a directory with the built-in encoder, and New one in
// another store; Add, Search and Close are all that a first program needs. The package
// links SQLite, but no server, Markdown or HTML parser.
//
// The parts can be used separately:
//
//   - query reads formulas such as (beach OR lake) AND NOT people,
//   - fusion says which strings a formula needs encoded,
//   - logic scores documents by their similarities to those strings and
//     explains the scores,
//   - sphere makes one query vector of a formula, for any vector search,
//   - retrieve takes these steps over a store, engine says what a store is.
package nsfl
