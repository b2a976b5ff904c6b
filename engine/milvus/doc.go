// Package milvus attaches to a collection in Milvus and reads it.
//
// An entity is a document: the primary key is its id, one of its fields the vector, and the
// others are title, text and metadata, including the dynamic field. The package never writes,
// creates or loads anything; a role that may describe, query and search suffices. Candidates
// come from the collection's index, whatever its metric; the similarities are exact cosines,
// computed here from the vectors. An index by inner product or distance over vectors with
// lengths other than 1 does not follow the order of cosines. The package then compares all
// documents that pass if they are few, and otherwise requests sixteen times as many
// candidates. It checks the lengths of the first hundred vectors and of all vectors that a
// search finds.
//
// Milvus evaluates the parts of a filter that it decides as predicate.Passes does; the package
// checks the rest. Entities are found by words if the collection has a BM25 function on the
// text or the title.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores or
// encoders, and never show the password.
package milvus
