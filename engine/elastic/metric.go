package elastic

import "strings"

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
