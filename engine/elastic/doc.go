// Package elastic is a store in Elasticsearch: a collection of its own making, or an index
// that something else has made and fills.
//
// Both are read in the same way. Candidates come from the indexes of vectors; the vectors of
// those are read and the similarities computed here, so that neither the metric of an index
// nor the bits that it keeps of a vector change them. Where the index keeps fewer bits, lists
// are longer than is asked for, and how far its scores were seen to be off is added to what
// Columns.Beyond says. An index by inner product, or by distance, of vectors of other lengths
// than 1 is in another order than that of cosines: up to ten thousand documents are then
// compared without it, and of more its candidates are ranked again, and nothing is said of
// what lies beyond them.
//
// Documents are listed by the number that Elasticsearch gives every write, shard by shard.
//
// A collection of our own is one index. A document is one record: its texts, its metadata,
// its vector and those of its passages as nested objects, whose best is what it is found by.
// So a document is always of one version. What predicates compare are terms, see values.go,
// and the words of a document are tokens that BM25 ranks. Notes are records, too, and the
// mapping says what the collection is.
//
// An attached index is read with the privileges read and view_index_metadata. A document is
// what has a vector; predicates become queries as far as the type of a field compares as
// package engine says, and what is left open is checked here.
//
// Elasticsearch has no transactions. A batch that fails in the middle, by a crash of the
// client or of a server, leaves some of its documents stored and the others as they were,
// each of them whole; to store the batch again puts that right, and does no harm where
// nothing was wrong. Of two who store the same document at once, one is the last, and the
// document is wholly that one's; of two who store and delete it, likewise. What is stored is
// found by searches when the call that stored it returns.
//
// A shard that does not answer is in Columns.Degraded; where documents are read by Ref or
// listed, it is an error.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores
// or encoders, of which it keeps only an opaque identity, and never show a password.
package elastic
