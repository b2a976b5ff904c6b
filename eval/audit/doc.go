// Package audit asks whether NOT reaches beyond what it names: does A AND NOT B
// push down documents for a label L that is not B?
//
// # What is compared
//
// A query has a positive part (A) and negated labels (B). Its right answers are the
// documents for which the positive part holds and that have no negated label: the
// ones that a user would lose. They are ranked twice, by the positive part alone
// and by the whole query. A place is a percentile among the right answers, 0 the
// best and 100 the last, equal scores sharing theirs; a document that a pool missed
// stands last. Places are robust, compare from encoder to encoder, and can be read:
// "ends 12 points lower" is 12 of 100 right answers.
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
// The excess of a pair (B, L) is the mean over the queries that negate B. Beside it
// stand two cruder figures, over the same queries, in percentiles among all
// documents with A: the difference in fall between documents with and without L,
// whether they have B or not (Crude), and the same among those without B (Apart).
// What lies between the two is what the presence of B explains.
//
// The excess of a label is the mean over all queries that have it, whatever is
// negated.
//
// # Uncertainty
//
// Queries share documents, so that resampling queries alone would overstate what is
// known. Standard errors are clustered by query and by document at once
// (stats.Crossed), the influence of a document being its share in the regression,
// corrected for leverage (HC2). Tests
// are two-sided. A pair is tested where MinQueries queries have MinSide right
// answers with L and MinSide without, and MinDocuments documents have L in all; a
// label where that many negated labels have such queries. All pairs tested are one
// family, all labels another: Benjamini and Hochberg's correction says which stand
// out, Holm's which stand out by the stricter rule.
//
// # Queries
//
// A set has too few negated queries for its many pairs, so by default the audit asks
// its own: A AND NOT B for all pairs of labels that the set's queries have words
// for, where MinClean documents have A and not B, and MinRemoved have both.
//
// The package knows sets, figures, the experiments of package lab and the tables of
// package report. It never knows an encoder, a store or a score.
package audit
