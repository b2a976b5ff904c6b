// Package audit asks whether NOT reaches beyond what it names: does A AND NOT B
// push down documents for a label L that is not B?
//
// # What is compared
//
// The audit asks A AND NOT B for all pairs of labels that the set's queries have
// words for, where MinClean documents have A and not B, and MinRemoved have both. The
// right answers, with A and without B, are those that a user would lose. They are
// ranked twice, by A alone and by the whole query. A place is a percentile among
// them, 0 the best and 100 the last, equal scores sharing theirs; a document that a
// pool missed stands last.
//
// # Excess
//
// The excess of L in one query is how many points lower the right answers with L
// end than right answers without L that started at the same place: the coefficient
// of L in the regression of the place after on the place before and L.
//
//   - B explains none of it, since no right answer has B.
//   - Nor does the mix of A, since documents are compared within a query.
//   - Nor does where documents with L start. Whatever disturbs a ranking moves
//     those at its top down and those at its end up, and a label whose documents
//     start high would seem to be suppressed.
//
// The excess of a pair (B, L) is the mean over the queries that negate B.
//
// # Uncertainty
//
// Queries share documents, so that resampling queries alone would overstate what is
// known. Standard errors are clustered by query and by document at once
// (stats.Crossed), the influence of a document being its share in the regression,
// corrected for leverage (HC2). Tests are two-sided. A pair is tested where MinQueries
// queries have MinSide right answers with L and MinSide without, and MinDocuments
// documents have L in all. All pairs tested are one family: Benjamini and Hochberg's
// correction says which stand out, Holm's which stand out by the stricter rule.
//
// The package knows sets, figures, the experiments of package lab and the tables of
// package report. It never knows an encoder, a store or a score.
package audit
