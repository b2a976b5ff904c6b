// Package tune learns a profile from queries with known answers, and says whether
// it is worth having.
//
// # What is learned
//
// First how vectors are refined, which is one choice for all formulas, then for
// each kind of formula what ranks it. It is a forward selection: of all changes of
// one element the best is taken, as long as it gains more than the standard error
// of that gain on the queries it is chosen by. What does not, stays as it was.
// Queries are measured by average precision at lab.Depth with the denominator
// min(R, depth); a set is worth the mean over its templates, and every set counts
// the same.
//
// # What is believed
//
// The best of many looks better than it is. So everything is chosen anew on all but
// one fold of the queries, and measured on that fold; the estimate has no query in
// it that took part in its own choice. Queries of one set share atoms and documents,
// though, so that folds say what more queries to the same documents would see.
// Leaving out a whole set says what another collection would.
//
// A profile is recommended where the interval of its gain over what is in force is
// above zero. The interval takes what each fold chose as given, and so is somewhat
// too narrow.
//
// The package knows sets, experiments and profiles. Where sets and encoders come
// from, and where a profile goes, are the business of others.
package tune
