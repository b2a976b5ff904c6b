// Package indexing brings a collection up to date with files.
//
// A Pass finds the files (Find), tells which of them have changed (Compare), and reads
// those into the collection (Apply). What is stored is noted soon after, so that an
// interruption, however it comes, loses some seconds: the same pass again goes on from
// there. Watch makes a pass whenever something has changed.
//
// # Names
//
// A file is known by its place, the absolute path without links, and keeps its name
// from then on, whatever folder it is found under. A new file is named by its path
// below what was named; where that is another file's name, more of its absolute path
// stands before it. Where that other file is gone, the new one has taken its place. A
// document has the id that ingest gives it, unless another file's document, or one
// that came from no file, has that already: then it is ingest.Qualified.
//
// The package knows a collection as an interface, so that it may be open in this
// process or behind a server. It knows no flags and no HTTP.
package indexing
