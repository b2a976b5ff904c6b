// Package measure computes measures of rankings from judgements: average precision with
// two denominators, recall, precision, nDCG, reciprocal rank and similar measures.
//
// Measures that exist in trec_eval have the same value, by the same rules: a document
// without a judgement is not relevant, a grade of 1 or more is relevant, a negative grade
// counts as no judgement, a ranking shorter than k is padded with documents that are not
// relevant, a query without relevant documents scores 0 in every measure (and counts in
// a mean), and a document ranked twice is an error.
//
// The package sees grades by rank. It does not know where rankings or judgements come
// from, and imports only the standard library.
package measure
