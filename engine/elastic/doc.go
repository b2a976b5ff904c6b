// Package elastic is a store in Elasticsearch. It manages its own collections and attaches to
// indexes that another program fills.
//
// Both are read in the same way. Vector indexes supply candidates; the package reads their
// vectors and computes the similarities, so neither the metric of an index nor its
// quantization changes them. If the index is quantized, the package requests longer lists and
// adds the largest error it has seen in the index's scores to Columns.UnseenBounds. An index by
// inner product or distance over vectors with lengths other than 1 does not follow the order
// of cosines. Up to ten thousand documents are then compared without the index; for more, its
// candidates are reranked, and nothing is claimed about the other documents.
//
// Documents are listed shard by shard, by the sequence number that Elasticsearch gives every
// write.
//
// A managed collection is one index. A document is one record with its texts, its metadata,
// its vector and the vectors of its passages as nested objects; the best passage counts in a
// search. So a document always has a single version. Predicates compare terms, see values.go,
// and BM25 ranks the words of a document as tokens. Notes are records, too, and the mapping
// describes the collection.
//
// An attached index needs the privileges read and view_index_metadata. Every record with a
// vector is a document. Predicates become queries if the type of a field compares values as
// package engine does; the package checks the rest.
//
// Elasticsearch has no transactions. A batch that fails in the middle, by a crash of the
// client or of a server, leaves some documents stored and the others unchanged, each of them
// whole. Storing the batch again repairs this and is always safe. If two clients store or
// delete the same document at once, the last one wins as a whole. Searches find documents as
// soon as the call that stored them returns.
//
// Columns.Degraded names shards that do not answer. Reading documents by Ref and listing them
// fail instead.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores or
// encoders, except for an opaque encoder identity, and never show a password.
package elastic
