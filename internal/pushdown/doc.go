// Package pushdown translates a formula's score to SQL for PostgreSQL with pgvector.
//
// A compiled program becomes a tree of expressions (Score), which is printed as one statement. The
// package never runs a statement, and must never know a store or an encoder.
package pushdown
