// Package measure turns rankings and judgements into numbers: average precision
// and its two denominators, recall, precision, nDCG, reciprocal rank and their
// kin.
//
// Where trec_eval has a measure the value here is trec_eval's, by its rules: a
// document without a judgement is not relevant, a grade of 1 and above is, a
// negative grade counts as none, a ranking shorter than k is filled up with
// documents that are not relevant, a query without relevant documents has 0 in
// every measure (and counts in a mean), and a document ranked twice is an error.
//
// The package sees grades by rank. It never knows where a ranking or a judgement
// comes from, and imports nothing but the standard library.
package measure
