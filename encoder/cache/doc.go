// Package cache stores the vectors of an encoder on disk. A cache is itself an
// encoder: it has the identity of the encoder it wraps, returns the same vectors
// bit for bit, and calls that encoder only for texts it has not seen.
//
// The vectors are stored in one SQLite file, under a hash of the encoder's whole
// identity and the text with its role's prefix; the texts themselves are not
// stored. Any number of encoders, goroutines and processes can share a directory.
// The size of the file is limited: the least recently used vectors are evicted.
// The directory must be on a local disk, since SQLite's write-ahead log does not
// work over a network.
//
// A cache never makes encoding fail. A file found damaged on opening is recreated.
// A file found damaged later is removed, and the cache is disabled until it is
// opened again, as it is when the directory cannot be used. Options.OnTrouble is
// called in each case.
//
// The package knows about texts, vectors and identities, but not about how an
// encoder works, nor about formulas, documents or collections.
package cache
