// Package audit tests whether NOT reaches beyond the label it names: does A AND NOT B
// demote documents with another label L?
//
// # Comparison
//
// The audit runs A AND NOT B for all pairs of labels that occur in the set's queries, if
// at least MinClean documents have A but not B, and MinRemoved have both. The right
// answers, with A and without B, are the ones a user would lose. They are ranked twice,
// by A alone and by the whole query. Their position is a percentile among the right
// answers, 0 the best and 100 the last. Equal scores share a position; a document missing
// from the candidate pool is last.
//
// # Excess
//
// The excess of L in one query is how many points lower the right answers with L end
// than right answers without L that started at the same position: the coefficient of L
// in the regression of the position after on the position before and L.
//
//   - B explains none of it, since no right answer has B.
//   - A explains none of it, since documents are compared within a query.
//   - The initial positions of documents with L do not explain it. Any disturbance of a
//     ranking moves documents at the top down and those at the end up, so without this
//     control a label whose documents start high would seem to be suppressed.
//
// The excess of a pair (B, L) is the mean over the queries that negate B.
//
// # Uncertainty
//
// Queries share documents, so resampling only queries would overstate the evidence.
// Standard errors are clustered by query and by document at once (stats.Crossed). The
// influence of a document is its share in the regression, corrected for leverage (HC2).
// Tests are two-sided. A pair is tested if MinQueries queries have MinSide right answers
// with L and MinSide without, and MinDocuments documents have L in total. All tested
// pairs form one family. Pairs are significant by Benjamini and Hochberg's correction
// or, more strictly, by Holm's.
//
// The package knows about sets, figures, the experiments of package lab and the tables
// of package report, but not about encoders, stores or scores.
package audit
