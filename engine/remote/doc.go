// Package remote makes an engine.Collection of a server that stores vectors.
//
// A driver supplies requests: the documents that an index has nearest to a vector, documents
// by their keys, pages of them, how many there are. The package owns everything that is the
// same for all servers: longer lists while something may be missing, comparison with
// everything where an index does not lead far enough, the bound on documents that were not
// compared, the check of filters that a server cannot decide, lexical scores, paging,
// time-outs, repetition, estimates of the size, a cache of vectors, and which column of a
// table is what.
//
// It knows vectors, documents and predicates by package engine. It must never know which
// servers there are.
package remote
