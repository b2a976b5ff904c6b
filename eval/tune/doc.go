// Package tune calibrates a profile on queries with known answers: it fits the probability
// that a result is relevant to its score, and estimates how accurate that is.
//
// Accuracy is measured on queries that took no part in the fit, by cross-validation. Queries
// of one set share atoms and documents, so folds only predict the accuracy for more queries to
// the same documents. With several sets, each is also measured by a fit to the others, which
// predicts the accuracy for another collection.
//
// Every set has the same weight, and so has every template within a set.
//
// The package knows about sets, experiments and profiles, but not about where sets and
// encoders come from or where a profile is stored.
package tune
