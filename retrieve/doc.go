// Package retrieve answers formulas: it encodes a formula's strings, finds candidates in a
// store, ranks them, and reads and explains the best.
//
// Search runs all steps, but each can be run on its own. Candidates holds the similarities of
// everything that was found.
//
// The package knows formulas, vectors and stores. Other packages store vectors, encode text
// and display results.
package retrieve
