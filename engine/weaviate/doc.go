// Package weaviate attaches to a class in Weaviate, on one node or on a cluster, and reads it.
//
// An object is a document, with one of its vectors and its properties as they are. Candidates
// come from the index of the vector; their similarities are cosines that are computed here
// from the vectors that come with them. Filters are left to the server as far as it answers
// the same as engine.Passes; the rest is checked here. Documents are found by words where
// the text or the title is indexed for BM25.
//
// Objects are read at one replica of each shard: right after a write that did not wait for
// all replicas, what is read may not be the latest. A node that does not answer is passed
// over where others are named.
//
// With one replica of each shard, a node that is away takes its part of the documents along,
// and Weaviate answers without a word of it. So after every search the cluster is asked for
// the state of its nodes, and what is missing is in Columns.Degraded. Where documents are
// read by Ref or listed, it is an error.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores
// or encoders, and never show the API key.
package weaviate
