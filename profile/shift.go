package profile

import (
	"fmt"
	"math"
	"strings"

	"github.com/nsfl-go/nsfl/internal/vec"
)

// Bank holds common words from many fields. Their mean vector approximates the component that
// an encoder gives to every short text.
var Bank = []string{
	"water", "city", "history", "music", "science", "animal", "family", "money",
	"food", "building", "war", "travel", "health", "sport", "book", "film",
	"child", "school", "machine", "colour", "river", "winter", "law", "language",
	"friend", "game", "house", "art", "weather", "computer", "road", "island",
	"king", "disease", "garden", "clothes", "religion", "story", "energy", "company",
}

// Mean returns the mean of vectors of equal dimension, or nil if there are none.
func Mean(vectors [][]float32) []float32 { return WeightedMean(vectors, nil) }

// WeightedMean returns the weighted mean of vectors. Nil weights count all vectors equally.
func WeightedMean(vectors [][]float32, weights []float64) []float32 {
	if len(vectors) == 0 {
		return nil
	}
	sum, all := make([]float64, len(vectors[0])), 0.0
	for k, v := range vectors {
		w := 1.0
		if weights != nil {
			w = weights[k]
		}
		all += w
		for i, x := range v {
			sum[i] += float64(w * float64(x))
		}
	}
	mean := make([]float32, len(sum))
	for i, x := range sum {
		mean[i] = float32(x / all)
	}
	return mean
}

// Apart subtracts the component that all queries share from a unit vector. common is the mean
// of the vectors of Bank.
func (p *Profile) Apart(v, common []float32) []float32 { return moved(v, common, -p.Hubness) }

// Towards moves a unit vector in the direction from centre, the mean of all documents, to
// found, the mean of its best documents, by a share of the profile's weight. centre is nil if
// unknown.
func (p *Profile) Towards(v, found, centre []float32, share float64) []float32 {
	away := make([]float32, len(v))
	copy(away, found)
	for i, c := range centre {
		away[i] -= c
	}
	length := math.Sqrt(vec.Dot64(away, away))
	if !(length > 1e-6) {
		return v // the mean of the found documents equals the centre
	}
	return moved(v, away, share*p.Feedback.Weight/length)
}

// contextWeight is the weight of the sentence in Within.
const contextWeight = 0.4

// Within moves the unit vector of a part of a sentence towards the vector of the sentence, by a
// share of contextWeight. A part alone has lost its context: in "look up a user or a group by
// name, except shadow passwords", the atom "look up a user" says nothing about a system's users.
func Within(v, sentence []float32, share float64) []float32 {
	return moved(v, sentence, share*contextWeight)
}

// moved returns v + share·by at length 1, or v if that sum is zero.
func moved(v, by []float32, share float64) []float32 {
	if share == 0 || len(by) == 0 {
		return v
	}
	out := make([]float32, len(v))
	for i := range v {
		out[i] = float32(float64(v[i]) + float64(share*float64(by[i])))
	}
	if vec.Normalize(out) != nil {
		return v
	}
	return out
}

// Moves describes the changes to query vectors, or returns "" if there are none.
func (p *Profile) Moves() string {
	var words []string
	if p.Hubness > 0 {
		words = append(words, "away from what all queries share")
	}
	if n := p.Feedback.Documents; n > 0 {
		words = append(words, fmt.Sprintf("towards their best documents, %d or fewer", n))
	}
	if len(words) == 0 {
		return ""
	}
	return "vectors moved " + strings.Join(words, ", ")
}
