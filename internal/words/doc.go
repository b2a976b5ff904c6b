// Package words implements lexical matching. It splits texts into tokens and stems, detects
// the terms that a text denies, and scores how well a document matches the terms of an atom.
//
// Pieces encodes a document as vocabulary pieces, two bytes each, independent of the encoder
// of its vectors. A Query holds the terms of a formula's atoms and matches all of them in one
// pass over a document's pieces. An exact match counts 1, and the nearest vocabulary neighbour
// less, so one score covers exact and similar terms. The package knows no document vectors and
// no stores.
package words
