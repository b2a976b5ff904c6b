// Package cache keeps the vectors of an encoder on disk. A cache is an encoder
// itself: it has the identity of the one it wraps and gives the same vectors, to
// the bit, and asks it only for those it has not seen.
//
// The vectors lie in one SQLite file in a directory, under a hash of the
// encoder's whole identity and the text with its role's prefix; the texts
// themselves are not stored. Any number of encoders, goroutines and processes
// share a directory. The file's size is bounded: those used longest ago go first.
// The directory must be on a disk of this machine, since SQLite's log does not
// work over a network.
//
// A cache never makes encoding fail. A file that is found damaged when it is opened
// is begun anew; one that is damaged in use is removed and done without until the
// next opening, and so is a directory that cannot be used. Either is told to
// Options.OnTrouble.
//
// The package knows texts, vectors and identities, nothing of how an encoder
// works, nor of formulas, documents or collections.
package cache
