// Package nsfl is Boolean search over embeddings that works: AND, OR and NOT
// for any encoder and any vector engine, after the paper "NSFL: A Post-Training
// Neuro-Symbolic Fuzzy Logic Framework for Boolean Operators in Neural
// Embeddings".
//
// Open opens a collection in a directory with the encoder inside the binary, New one
// that lives in another store; Add, Search and Close are all that a first program
// needs. It links SQLite, and no server, no Markdown and no HTML.
//
// The parts can be used one by one:
//
//   - query reads formulas such as (beach OR lake) AND NOT people,
//   - fusion says which strings a formula needs encoded,
//   - logic scores documents by their similarities to those strings and
//     explains the scores,
//   - sphere makes one query vector of a formula, for any vector search,
//   - retrieve takes these steps over a store, engine says what a store is.
package nsfl
