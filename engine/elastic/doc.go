// Package elastic is a store in Elasticsearch. It manages its own collections and attaches to
// indexes that another program fills. Both are read in the same way: vector indexes supply
// candidates, whose vectors are read and compared here. If an index is quantized, the package adds
// the largest error that it has seen in the scores of the index to Columns.UnseenBounds.
//
// A managed collection is one index. A document is one record with its texts, its metadata, its
// vector and the vectors of its passages as nested objects, so it always has a single version.
// Predicates compare terms, see values.go, and BM25 ranks the words of a document as tokens. Notes
// are records, too, and the mapping describes the collection.
//
// Elasticsearch has no transactions. A batch that fails in the middle leaves some documents stored
// and the others unchanged, each of them whole. Storing the batch again repairs this and is always
// safe. If two clients store or delete the same document at once, the last one wins as a whole.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores or
// encoders, except for an opaque encoder identity, and never show a password.
package elastic
