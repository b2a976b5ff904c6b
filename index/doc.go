// Package index is the embedded collection: the documents and vectors of one
// machine, in one directory.
//
// SQLite is the ledger. It holds what documents say, their metadata, which of
// them are deleted, and how many bytes of the flat files are committed. The
// flat files are append-only and memory-mapped: unit vectors (float32), their
// codes (int8, or one bit a dimension), the pieces of documents' words, and a
// table with one record for each document, so that opening a collection reads
// nothing per document from SQLite. A batch is appended, synced, then committed
// by one transaction of the ledger; what lies beyond the committed lengths does
// not exist, and the next writer cuts it off. FORMAT.md describes every byte.
//
// One process writes, any number read. A reader works on an immutable snapshot
// and notices at its next call that a batch has landed.
//
// A document is a vector for the whole and, where it has two or more passages,
// a vector for each. Its similarity to a query vector is
// (whole + max over passages) / 2, otherwise the plain cosine of the whole.
//
// The package stores documents and gives similarities. It never knows a
// formula's score, a query's text or an encoder, of which it keeps only an
// opaque identity; of the language it knows the hard predicates, which it
// turns into the set of documents that pass.
package index
