package measure

import "math"

// Denominator is the divisor of the sum of precisions in an average precision.
type Denominator uint8

const (
	// Reachable is min(R, k), the most relevant documents that fit in k ranks: a perfect
	// ranking scores 1.
	Reachable Denominator = iota
	// All is R, as in trec_eval's map_cut. With R above k no ranking scores 1.
	All
)

// In every measure, a k of 0 or less means the whole ranking.

// AveragePrecision returns the mean of the precisions at the ranks of the relevant documents
// among the first k. Its mean over queries is mAP@k. With All it is trec_eval's map_cut_k, or
// map if k is 0.
func (j Judged) AveragePrecision(k int, d Denominator) float64 {
	of := j.Relevant()
	if d == Reachable && k > 0 {
		of = min(of, k)
	}
	if of == 0 {
		return 0
	}
	sum, found := 0.0, 0
	for i, g := range j.top(k) {
		if g > 0 {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum / float64(of)
}

// Recall returns the share of all relevant documents among the first k: recall_k of
// trec_eval.
func (j Judged) Recall(k int) float64 {
	if j.Relevant() == 0 {
		return 0
	}
	return float64(j.found(k)) / float64(j.Relevant())
}

// NDCG returns the discounted gain of the first k relative to the ideal ranking: ndcg_cut_k
// of trec_eval, or ndcg if k is 0. A document's gain is its grade, the discount
// log2(1 + rank).
func (j Judged) NDCG(k int) float64 {
	ideal := j.Ideal
	if k > 0 {
		ideal = ideal[:min(k, len(ideal))]
	}
	best := gain(ideal)
	if best == 0 {
		return 0
	}
	return gain(j.top(k)) / best
}

func gain(grades []int) float64 {
	sum := 0.0
	for i, g := range grades {
		if g > 0 {
			sum += float64(g) / math.Log2(float64(i+2))
		}
	}
	return sum
}
