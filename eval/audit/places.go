package audit

import "github.com/nsfl-go/nsfl/eval/lab"

// places are the percentiles of some documents in an order, counting nobody else:
// 0 is the best, 100 the last. Equal scores share the middle of their places, and
// what the order lacks shares the places after its end. documents ascend.
func places(order lab.Order, documents []int, slot []int) []float32 {
	out := make([]float32, len(documents))
	for i, d := range documents {
		slot[d] = i + 1
	}
	var tied []int
	before, score := 0, float32(0)
	share := func() {
		middle := float32(100 * (float64(before) + float64(len(tied))/2) / float64(len(documents)))
		for _, i := range tied {
			out[i] = middle
		}
		before += len(tied)
		tied = tied[:0]
	}
	for k, d := range order.Documents {
		i := slot[d] - 1
		if i < 0 {
			continue
		}
		if len(tied) > 0 && order.Scores[k] != score {
			share()
		}
		score = order.Scores[k]
		tied = append(tied, i)
		slot[d] = 0
	}
	share()
	for i, d := range documents {
		if slot[d] > 0 {
			tied = append(tied, i)
			slot[d] = 0
		}
	}
	share()
	return out
}
