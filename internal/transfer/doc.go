// Package transfer copies a collection from one store to another and compares the two:
// documents, vectors bit for bit, notes.
//
// A copy can be interrupted at any moment. The target stores the progress as a note, from
// which the next run continues.
//
// It knows stores only by the interface of package engine. It never knows the meaning of
// vectors or the location of stores.
package transfer
