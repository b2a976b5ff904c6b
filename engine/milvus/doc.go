// Package milvus is a store in Milvus: one of our own making, or a collection that something
// else has made and filled, to which it is attached.
//
// Of an attached collection an entity is a document: the primary key is its id, one of its
// fields the vector, and the others title, text and metadata, the dynamic field included.
// Nothing is ever written, made or loaded; a role that may describe, query and search
// suffices. Candidates come from the collection's index, whatever its metric; the
// similarities are cosines, computed here from the vectors, so that nothing approximates
// them. Where the index goes by inner product or by distance and vectors are not of length 1,
// its order is not that of cosines: all that pass are then compared if they are few, and
// sixteen times as many as are wanted otherwise. Whether they are of length 1 is told from
// the first hundred vectors, and from whatever a search finds.
//
// What a filter asks is left to Milvus as far as it answers the same as engine.Passes; the
// rest is checked here. By words entities are found where the collection has a BM25 function
// on the text or the title.
//
// A collection of our own is three of Milvus's: NAME has an entity for each document,
// NAME_passages one for each passage that is compared on its own, NAME_notes the notes. A
// document's entity is all of it, the vectors of its passages included; the passages only
// lead to it. So a document is always of one version. What is longer than a text may be in
// Milvus is an array of texts. Documents are found by their words, too, as sparse vectors of
// the pieces that they have. A property of the first collection says what it is, and it is
// made last, so that two who make a collection at the same time agree on it.
//
// Milvus has no transactions. A document's passages are stored before it, with a version of
// their own, and those of the version that was there are removed after it, so that two may
// write the same document at the same time: the last one stays, whole. A batch that fails in
// the middle leaves some of its documents stored and the others as they were, each of them
// whole; to store the batch again puts that right. What is cut off between passages and
// document, and two that replace one document at once, may leave passages that lead to
// nothing new; they cost space. What was written is read at once, by whomever.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores
// or encoders, of which it keeps only an opaque identity, and never show the password.
package milvus
