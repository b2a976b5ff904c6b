// Package query is the language of nsfl: it turns what a person types,
//
//	(beach OR lake) AND sunset AND NOT people year:>=2015
//
// into a tree (Parse), prints a tree so that it parses back to an equal one,
// and brings it to the normal form that the calculus is defined on
// (Normalize): hard predicates set apart, NOT pushed inwards, every
// conjunction a list of positive and a list of negated parts. Tokens offers
// editors what the parser reads, Walk others the nodes of a tree.
//
// The package knows words and their structure only. It never sees a vector, a
// score, a document or a store, and it imports nothing but the standard
// library.
package query
