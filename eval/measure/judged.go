package measure

import (
	"cmp"
	"fmt"
	"slices"
)

// Judged is the ranking for one query with its judgements.
type Judged struct {
	Ranked []int // grade of the document at each rank, best rank first
	Ideal  []int // grades of all relevant documents, highest first
}

// Judge looks up the grade of every document of a ranking. ideal holds the grades of all
// relevant documents in any order, ranked or not; grades below 1 are ignored. A document
// ranked twice is an error, as in trec_eval.
func Judge(ranking []string, grade func(id string) int, ideal []int) (Judged, error) {
	j := Judged{Ranked: make([]int, len(ranking)), Ideal: make([]int, 0, len(ideal))}
	ranks := make(map[string]int, len(ranking))
	for i, id := range ranking {
		if first, twice := ranks[id]; twice {
			return Judged{}, fmt.Errorf("judging a ranking: document %q is at rank %d and again at rank %d; rank each document once", id, first, i+1)
		}
		ranks[id] = i + 1
		j.Ranked[i] = grade(id)
	}
	for _, g := range ideal {
		if g > 0 {
			j.Ideal = append(j.Ideal, g)
		}
	}
	slices.SortFunc(j.Ideal, func(a, b int) int { return cmp.Compare(b, a) })
	return j, nil
}

// Relevant returns R, the number of all relevant documents.
func (j Judged) Relevant() int { return len(j.Ideal) }

// top returns the first k ranks, or all if k is 0 or less.
func (j Judged) top(k int) []int {
	if k <= 0 {
		return j.Ranked
	}
	return j.Ranked[:min(k, len(j.Ranked))]
}

// found counts the relevant documents among the first k.
func (j Judged) found(k int) int {
	n := 0
	for _, g := range j.top(k) {
		if g > 0 {
			n++
		}
	}
	return n
}
