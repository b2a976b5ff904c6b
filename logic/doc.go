// Package logic is the calculus of NSFL: Neuro-Symbolic Deltas, the fuzzy
// operators built on them, confidence gates and noise floors, after sections 4
// to 6 of the paper.
//
// It can be used at three levels. Delta and RegimeOf look at the similarities of
// one document. And, Not and Or score one document
// from similarities of your own. Compile turns a formula of the query language
// into a Program that scores columns of similarities for any number of
// documents and explains any of them.
//
// The zero Options are the paper.
//
// The package knows columns of numbers. It never sees a document, a vector or
// a string to encode.
package logic
