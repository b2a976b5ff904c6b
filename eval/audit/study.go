package audit

import (
	"cmp"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// analyse estimates and tests the effects under the k-th cap. It returns the pairs with
// enough support: significant falls first, then by size of the fall.
func analyse(labels *labelled, probes []*probe, k int) ([]Pair, error) {
	pairs := []Pair{}
	for b := range labels.names {
		own := slices.DeleteFunc(slices.Clone(probes), func(n *probe) bool { return n.negated != b })
		for label := range labels.names {
			p := Pair{Negated: labels.names[b], Label: labels.names[label]}
			if tested, err := p.estimate(label, own, k, len(labels.of)); err != nil {
				return nil, err
			} else if tested {
				pairs = append(pairs, p)
			}
		}
	}
	var p []float64
	for i := range pairs {
		p = append(p, pairs[i].P)
	}
	bh, err := stats.BenjaminiHochberg(p)
	if err != nil {
		return nil, err
	}
	holm, err := stats.Holm(p)
	if err != nil {
		return nil, err
	}
	for i := range pairs {
		pairs[i].PBH, pairs[i].PHolm = bh[i], holm[i]
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int {
		switch {
		case a.falls() && !b.falls():
			return -1
		case b.falls() && !a.falls():
			return 1
		}
		return cmp.Compare(b.Excess, a.Excess)
	})
	return pairs, nil
}

// estimate estimates a pair from the probes that negate its label. It reports whether the
// pair had enough support to be tested.
func (p *Pair) estimate(label int, probes []*probe, k, documents int) (tested bool, err error) {
	var crossed *stats.Crossed // allocated only for labels with support
	seen := map[int]bool{}
	for _, n := range probes {
		if !n.supports(label) {
			continue
		}
		e, ok := measure(n.before, n.after[k], n.with[label])
		if !ok {
			continue
		}
		if crossed == nil {
			crossed = stats.NewCrossed(documents)
		}
		p.Queries++
		crossed.Add(e.value)
		for at, u := range e.influence {
			crossed.Influence(n.right[at], u)
		}
		for _, at := range n.with[label] {
			seen[n.right[at]] = true
		}
	}
	if p.Documents = len(seen); p.Queries < MinQueries || p.Documents < MinDocuments {
		return false, nil
	}
	r, err := crossed.Mean()
	if err != nil {
		return false, err
	}
	p.Excess, p.Low, p.High, p.SE, p.P = r.Value, r.Low, r.High, r.SE, r.P
	return true, nil
}

// places returns the percentiles of some documents in an order of a corpus of the given
// size, ignoring all others: 0 is the best, 100 the last. Equal scores share the middle of
// their positions; documents missing from the order share the positions after its end.
func places(order lab.Order, documents []int, size int) []float32 {
	out := make([]float32, len(documents))
	slot := make([]int, size)
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
		if slot[d] == 0 {
			continue
		}
		if order.Scores[k] != score {
			share()
		}
		score = order.Scores[k]
		tied = append(tied, slot[d]-1)
		slot[d] = 0
	}
	share()
	for i, d := range documents {
		if slot[d] > 0 {
			tied = append(tied, i)
		}
	}
	share()
	return out
}
