// Package report presents the outcomes of an experiment: as Markdown tables with
// aligned columns, as JSON, and as the tables of the paper next to its own figures. Other packages use Table as well.
//
// Every figure comes with its evidence: intervals from resampled queries, tests against
// plain retrieval under the same conditions, corrected for their number, and the warnings
// of the statistics.
//
// The package knows about figures, but not about engines, encoders or stores:
// similarities are passed as numbers, and the titles of documents by a function.
package report
