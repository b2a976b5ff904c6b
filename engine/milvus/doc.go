// Package milvus attaches to a collection in Milvus and reads it.
//
// An entity is a document: the primary key is its id, one of its fields the vector, and the others
// are title, text and metadata, including the dynamic field. The package never writes, creates or
// loads anything. Candidates come from the collection's index, whatever its metric; the similarities
// are cosines, computed here from the vectors. Milvus evaluates the parts of a filter that it decides
// as predicate.Passes does; the package checks the rest.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores or
// encoders, and never show the password.
package milvus
