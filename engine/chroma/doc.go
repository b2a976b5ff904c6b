// Package chroma is a store over a collection that something else has filled on a Chroma
// server, by its HTTP API of version 2. It is only read.
//
// A record is a document: its id, its embedding, its document as the text, its metadata. What
// Chroma's index finds are candidates, by whichever space the collection has; their
// similarities are cosines that are computed here, from the embeddings, which need not be
// of length 1. Chroma narrows filters down as far as its own conditions can say, and what
// it leaves open is checked here.
//
// The package knows vectors, documents and predicates. It must never know formulas,
// scores or encoders, and never show tokens.
package chroma
