// Package transfer copies a collection from one store to another and compares the
// two: documents, vectors bit for bit, notes.
//
// A copy can be interrupted at any moment. What it has done is kept as a note of
// the target, which the next run goes on from.
//
// It knows stores by the interface of package engine alone. What the vectors mean
// and where the stores are is the business of others.
package transfer
