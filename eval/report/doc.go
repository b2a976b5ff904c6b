// Package report turns the outcomes of an experiment into what people read: tables
// for a terminal, Markdown, LaTeX, CSV and JSON, one HTML page that needs nothing
// beside itself, and the tables of the paper with its own figures beside ours. What
// writes them, Table, others use as well.
//
// Every figure comes with what it rests on: intervals from resampled queries,
// tests against plain retrieval under the same conditions, corrected for their
// number, and the warnings of the statistics.
//
// It knows figures. It never knows an engine, an encoder or a store: similarities
// reach it as numbers, and the titles of documents through a function.
package report
