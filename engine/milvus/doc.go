// Package milvus attaches to a collection in Milvus and reads it.
//
// An entity is a document: the primary key is its id, one of its
// fields the vector, and the others title, text and metadata, the dynamic field included.
// Nothing is ever written, made or loaded; a role that may describe, query and search
// suffices. Candidates come from the collection's index, whatever its metric; the
// similarities are exact cosines, computed here from the vectors. Where the index goes by inner product or by distance and vectors are not of length 1,
// its order is not that of cosines: all that pass are then compared if they are few, and
// sixteen times as many as are wanted otherwise. Whether they are of length 1 is told from
// the first hundred vectors, and from whatever a search finds.
//
// Milvus decides the parts of a filter that it answers as engine.Passes does; the rest is
// checked here. By words entities are found where the collection has a BM25 function
// on the text or the title.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores
// or encoders, and never show the password.
package milvus
