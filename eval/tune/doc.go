// Package tune learns a profile from queries with known answers, and estimates whether it
// is worth using.
//
// # Learning
//
// What is learned is how to refine query vectors and how much words count, one choice for all
// formulas. This is a forward selection: of all changes of one element, the best is made as
// long as its gain exceeds the standard error of the gain on the queries it is chosen by.
// The operators and everything else in the default profile stay unchanged. Queries are
// measured by average precision at lab.Depth with the denominator min(R, depth). The value of
// a set is the mean over its templates, and every set has the same weight.
//
// # Estimation
//
// The best of many candidates looks better than it is. The selection is therefore repeated
// on all but one fold of the queries and measured on that fold, so no query in the estimate
// took part in its own choice. Queries of one set share atoms and documents, though, so
// folds only predict the gain for more queries to the same documents. Leaving out a whole
// set predicts the gain for another collection.
//
// A profile is recommended if the interval of its gain over the default is above zero. The
// interval takes the choice of each fold as given, and so is somewhat too narrow.
//
// The package knows about sets, experiments and profiles, but not about where sets and
// encoders come from or where a profile is stored.
package tune
