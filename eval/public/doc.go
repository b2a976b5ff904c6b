// Package public knows the benchmarks that others publish: where, under which licence,
// and of which files they consist. It brings them into a folder that package sets reads,
// from their authors' address, from another one, or from a folder.
//
// Every file appears whole or not at all, and with it the manifest nsfl-set.json, which
// has its size, its SHA-256 and where it is from. Files that have come stay when a later
// one fails, so that the next try goes on with that one. At the end all of it is read
// once; a manifest counts documents and queries only where that went well.
//
// The package knows addresses, bytes and hashes. What is in the files is the business of
// package sets, and what is measured on them of neither.
package public
