// Package query implements the query language of nsfl. It parses queries such as
//
//	(beach OR lake) AND sunset AND NOT people year:>=2015
//
// into a tree (Parse), prints a tree in a form that parses back to an equal one, and
// converts it to the normal form on which the calculus is defined (Normalize): hard
// predicates separated, NOT pushed inwards, every conjunction split into positive and
// negated parts. Tokens exposes the lexer to editors, and Walk iterates over the nodes of
// a tree.
//
// The package knows only words and their structure. It never sees a vector, a score, a
// document or a store, and imports only the standard library.
package query
