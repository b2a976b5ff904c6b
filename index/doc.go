// Package index implements the embedded collection: documents and vectors in one
// directory on one machine.
//
// SQLite is the ledger. It holds the texts of documents, their metadata, the tombstones
// of deleted documents, and the committed length of each flat file. The flat files are
// append-only and memory-mapped: unit vectors (float32), their codes (int8), the
// word pieces of documents, and a table with one record per document,
// which lets a collection open without reading each document from SQLite. A batch is
// appended, synced, then committed by one transaction of the ledger. Bytes beyond the
// committed lengths are ignored, and the next writer truncates them. FORMAT.md describes
// every byte.
//
// One process writes, any number read. A reader works on an immutable snapshot and picks
// up new batches at its next call.
//
// A document has a vector for the whole text and, if it has two or more passages, one for
// each passage. Its similarity to a query vector is (whole + max over passages) / 2, or
// the cosine of the whole if it has no passage vectors.
//
// The package stores documents and computes similarities. It never knows a formula's
// score, a query's text or an encoder, except for the encoder's opaque identity. Of the
// query language it knows only the hard predicates, which it evaluates to a set of
// documents.
package index
