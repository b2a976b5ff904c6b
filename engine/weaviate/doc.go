// Package weaviate attaches to a class in Weaviate, on one node or on a cluster, and reads it.
//
// An object is a document, with one of its vectors and its properties as they are. Candidates
// come from the index of the vector; their similarities are cosines that are computed here
// from the vectors that come with them. Filters are left to the server as far as it answers
// the same as predicate.Passes; the rest is checked here. Documents are found by words where
// the text or the title is indexed for BM25.
//
// Objects are read at one replica of each shard: right after a write that did not wait for
// all replicas, the replica may be behind. If a node does not answer, the next is asked.
//
// With one replica of each shard, a node that is away takes its part of the documents along,
// and Weaviate does not report it. So after every search the driver asks for the state of the
// nodes and reports missing shards in Columns.Degraded. Reading by Ref and listing fail.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores
// or encoders, and never show the API key.
package weaviate
