// Package chroma is a store on a Chroma server, by its HTTP API of version 2.
//
// A collection is three of Chroma's: NAME has a record for each document,
// NAME-passages one for each passage that is compared on its own, NAME-notes the
// notes. A document's record is all of it, the vectors of its passages included; the
// records of passages only lead to it. What Chroma's HNSW index finds are candidates:
// their similarities are computed here, from the vectors in the documents' records,
// and predicates are checked here, after Chroma has narrowed them down as far as its
// own conditions can say.
//
// A record has the pieces of its document's words, too. Chroma has no index of them, and to
// read all documents for every search is no way to use a server: words rank what vectors
// have found and find nothing themselves, so that a document which only its words lead to
// is missed.
//
// Chroma has no transactions, but it stores the records of one request together. A
// document's passages are stored before it and those of its last version are removed
// after it, so that a reader sees the whole of one version. A batch that does not fit
// into one request (see maxRequest), and one that is cut off, may be stored in part:
// some documents are then new and the others as they were, and there may be passages
// that lead to nothing, which cost space. To store the batch again repairs both. Two
// stores may write to a collection, but not the same document at the same time: one of
// them might remove passages and keys of the other's, and searches overlook it then
// until it is stored again.
//
// The package knows vectors, documents and predicates. It must never know formulas,
// scores or encoders, of which it keeps only an opaque identity, and never show what
// the environment says about tokens.
package chroma
