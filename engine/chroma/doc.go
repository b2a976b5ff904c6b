// Package chroma attaches to a collection on a Chroma server through version 2 of its HTTP
// API. It only reads.
//
// A record is a document, with its id, its embedding, its document as the text, and its
// metadata. Chroma's index finds candidates in the collection's own space. The package
// computes their similarities as cosines from the embeddings, which need not have length 1.
// Chroma applies as much of a filter as its conditions can express, and the package checks the
// rest.
//
// The package knows vectors, documents and predicates. It must never know formulas, scores or
// encoders, and never show tokens.
package chroma
