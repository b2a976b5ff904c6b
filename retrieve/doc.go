// Package retrieve answers a formula: it has the formula's strings encoded, finds
// candidates in a store, ranks them, and reads and explains the best.
//
// The steps can be taken one by one. A Candidates holds the similarities of all
// that was found, so that it can be ranked again with other options without
// asking the store; Search takes all steps.
//
// It knows formulas, vectors and stores. Where vectors are kept, what encodes
// them and how results are shown are the business of others.
package retrieve
