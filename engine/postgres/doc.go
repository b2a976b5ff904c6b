// Package postgres is a store in a PostgreSQL database with pgvector.
//
// A managed collection is a schema: documents with a vector for the whole, passages with their
// vectors, metadata values in the form that predicates compare, words, and notes. Candidates come
// from HNSW indexes on both kinds of vectors; the server computes the similarities, so vectors do
// not travel. Each read is one statement and sees one state of the database; a batch is one
// transaction. Documents are also found by words: a GIN index finds those that contain a word
// itself. Similar words are matched only among those and in pools.
//
// A Table attaches to a table, view or foreign table that another program fills. A row is a
// document. Without a vector index the server ranks all rows itself, by the statement that package
// pushdown generates for a score. Of a table with few rows, package remote keeps a copy in memory.
//
// The package knows vectors, documents and predicates. It must never know formulas or encoders,
// whose identity is an opaque text, and never show passwords.
package postgres
