// Package weaviate is a store in Weaviate, on one node or on a cluster.
//
// A document is one object: its texts, its metadata, a vector for the whole and,
// where it has two or more passages, their vectors as one multi-vector, whose
// distance to a single vector is that of the best passage. So a document is always
// of one version, and a filter is asked of the object itself. Candidates come from
// the HNSW indexes on both kinds of vectors; the similarities, by the definition in
// package engine, are computed here from the vectors that come with them, so that
// nothing approximates them. A class of its own holds the notes, and the
// description of the documents' class says what the collection is: classes are
// made by consensus of the nodes, so that two who make a collection at the same
// time agree on it.
//
// Documents are found by their words, too: Weaviate ranks those that have a word itself,
// by BM25 over the pieces of words, of which some thousand are read. What only means
// nearly the same is found among those, and in pools.
//
// Weaviate has no transactions. A batch that fails in the middle, by a crash of
// the client or of a server, leaves some of its documents stored and the others as
// they were, each of them whole; to store the batch again puts that right, and
// does no harm where nothing was wrong. While a document is being replaced a
// search may miss it.
//
// With replicas, consistency= in the address says how many of them a call waits for. Get,
// Find, Upsert, Delete and SetNotes go by it. What is found, listed and counted is
// that of one replica of each shard, the node's own where it has one: right after a
// write that did not wait for ALL, or of a node that was away, it may not be the
// latest. Replicas that have missed a write are brought up to date in the
// background. A node that has died does not hold up searches or writes for which
// enough replicas are left; one that is frozen may hold up writes, and reads at
// QUORUM, until the cluster has dropped it or the time-out is over.
//
// With one replica of each shard, a node that is away takes its part of the
// documents along, and Weaviate answers without a word of it. So after every
// search the cluster is asked for the state of its nodes, and what is missing is in
// Columns.Degraded. Where documents are read by Ref or listed, it is an error.
//
// A class that something else has made is attached to: an object is a document, with one of
// its vectors and its properties as they are. Nothing is written to it. It is read at one
// replica of each shard, too.
//
// The package knows vectors, documents and predicates. It must never know
// formulas, scores or encoders, of which it keeps only an opaque identity, and
// never show the key to the server.
package weaviate
