// Package transfer copies a collection from one store to another and compares the
// two: documents, vectors bit for bit, notes.
//
// A copy can be interrupted at any moment. The target stores the progress as a note, from
// which the next run continues.
//
// It knows stores by the interface of package engine alone. What the vectors mean
// and where the stores are is the business of others.
package transfer
