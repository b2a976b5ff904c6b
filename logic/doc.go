// Package logic implements the calculus of NSFL: Neuro-Symbolic Deltas, the fuzzy
// operators built on them, confidence gates and noise floors, after sections 4 to 6 of
// the paper.
//
// It can be used at three levels. Delta and RegimeOf examine the similarities of one
// document. And, Not and Or score one document from given similarities. Compile turns a
// formula of the query language into a Program that scores columns of similarities for
// any number of documents and explains any of them.
//
// The zero Options follow the paper.
//
// The package knows columns of numbers. It never sees a document, a vector or a string to
// encode.
package logic
