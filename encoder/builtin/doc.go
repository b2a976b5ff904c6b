// Package builtin is the encoder embedded in the binary: a small transformer, distilled for
// this project, together with its weights. It needs no network, no files and no cgo. The
// folder training holds the recipe; package bert computes the layers.
//
// There are several revisions of its model. New returns the newest one; a collection keeps
// the revision that made its vectors.
//
// The package knows about texts and vectors, but not about formulas, documents or scores.
package builtin
