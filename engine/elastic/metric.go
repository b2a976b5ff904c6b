package elastic

import "strings"

// list is a field of vectors with an index by which candidates are found.
type list struct {
	field string
	all   clause // what has such a vector
	// cosine is what the score of a vector of length 1 says about its cosine to the query;
	// nil: the index goes by something else than cosines, since its vectors are of other lengths.
	cosine func(score float64) float64
	rough  bool // the index has its vectors in fewer bits, so that scores are off
}

// oversampled is how many are fetched where so many are wanted: more where the order of the
// list is not quite that of cosines.
func (l *list) oversampled(limit int) int {
	switch {
	case l.cosine == nil:
		limit = max(4*limit, limit+400)
	case l.rough:
		limit = max(2*limit, limit+100)
	}
	return min(limit, maxResults)
}

// The scores of vectors of length 1, by the similarity that a field has in its mapping.
var cosines = map[string]func(float64) float64{
	"cosine":      func(score float64) float64 { return 2*score - 1 },
	"dot_product": func(score float64) float64 { return 2*score - 1 },
	"l2_norm":     func(score float64) float64 { return 1 - (1/score-1)/2 }, // 1/(1+d²), and d² is 2-2cos
	"max_inner_product": func(score float64) float64 {
		if score < 1 { // 1/(1-cos)
			return 1 - 1/score
		}
		return score - 1
	},
}

// directional are the similarities that do not depend on the length of vectors, or let none
// in that has another length than 1.
func directional(similarity string) bool {
	return similarity == "cosine" || similarity == "dot_product"
}

// rough reports whether a kind of index keeps vectors in fewer bits.
func rough(kind string) bool {
	return kind != "hnsw" && kind != "flat" && !strings.HasPrefix(kind, "float")
}
