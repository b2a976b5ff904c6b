package measure

// Pair holds the scores of two contrastive documents for two queries that each ask for one
// of them: Pair[i][j] is query i's score of document j.
type Pair [2][2]float64

// Correct reports whether both queries prefer their own document. A tie is no
// preference.
func (p Pair) Correct() bool { return p[0][0] > p[0][1] && p[1][1] > p[1][0] }

// PairwiseAccuracy is the measure of NevIR (Weller et al. 2024): the share of correct pairs.
// Random scores have an accuracy of 0.25.
func PairwiseAccuracy(pairs []Pair) float64 {
	if len(pairs) == 0 {
		return 0
	}
	n := 0
	for _, p := range pairs {
		if p.Correct() {
			n++
		}
	}
	return float64(n) / float64(len(pairs))
}
