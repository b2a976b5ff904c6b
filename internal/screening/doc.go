// Package screening ranks the records of a collection for a person who decides, one record
// after another, which of them a review includes.
//
// Before any decision the ranking is that of a formula, the inclusion criteria. Afterwards a
// linear model over the terms of a record, its vector and its scores for the formula takes
// over. A statistical test says when enough has been read: see Stop. Decisions are notes of
// the collection. The package knows stores only as engine.Collection.
package screening
