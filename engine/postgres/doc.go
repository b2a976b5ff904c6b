// Package postgres is a store in a PostgreSQL database with pgvector.
//
// A collection is a schema of its own in the database: documents with a vector
// for the whole, passages with theirs, entries, the values of the metadata as
// predicates see them, words, and notes. Candidates come from HNSW indexes on both kinds of vectors;
// the similarities, by the definition in package engine, are computed by the
// server from the stored vectors: they are exact, and vectors do not travel. A call that reads is one statement, and with that one state of
// the database; a batch is one transaction.
//
// Documents are found by their words, too: a GIN index leads to those that have a word
// itself, the ones with the heaviest words first, of which some thousand are read. What
// only means nearly the same is found among those, and in pools.
//
// The store is not an engine.Scanner: to bring a similarity of every document over
// the wire for every query is no way to use a database. Options.Fill with a
// large pool misses nothing either.
//
// A Table is not a collection but what something else has filled: a table, a view, a foreign
// table, of which a row is a document. It is only read. Candidates come from the index of
// pgvector's that it has, or from a comparison of all rows; predicates on its columns are
// conditions of the same statement. Without an index it also ranks all rows itself, by the
// statement that package pushdown writes of a score.
//
// The package knows vectors, documents and predicates. It must never know
// formulas or encoders, whose identity is an opaque text, and never show passwords.
package postgres
