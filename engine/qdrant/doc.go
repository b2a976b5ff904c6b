// Package qdrant attaches to a collection in Qdrant through its REST API. It only reads.
//
// A point is a document: its id is the id of the document, one of its vectors the vector, and
// its payload has title, text and metadata. Qdrant's index finds candidates; their
// similarities are cosines, computed here from the vectors that come with them. Qdrant has no
// schema: a sample of points shows which fields payloads have, and of which types. Qdrant
// applies as much of a filter as its conditions can express for these types, and the documents
// that come back are checked here.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores or
// encoders, and never show the API key.
package qdrant
