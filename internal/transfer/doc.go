// Package transfer copies a collection from one store to another and compares the two:
// documents, vectors bit for bit, notes.
//
// It knows stores only by the interface of package engine. It never knows the meaning of
// vectors or the location of stores.
package transfer
