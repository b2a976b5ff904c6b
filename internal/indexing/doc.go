// Package indexing keeps a collection up to date with files.
//
// A Pass finds the files (Find), determines which have changed (Compare), and indexes
// those (Apply). Progress is recorded every few seconds, so an interrupted pass can be
// repeated with little loss. Watch runs a pass whenever files change.
//
// # Names
//
// A file is identified by its place, the absolute path without links, and keeps its name
// from then on, whatever folder it is found under. The name of a new file is its path
// below the given folder. If another file has that name, more of the absolute path is
// prepended. If that other file no longer exists, the new one takes its place. A document
// has the id that ingest assigns, unless a document of another file, or one without a
// file, already has it: then the id is ingest.Qualified.
//
// The package knows a collection as an interface, which may be open in this process or
// behind a server. It knows neither flags nor HTTP.
package indexing
