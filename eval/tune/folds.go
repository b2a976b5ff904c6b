package tune

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// folds randomly assigns the questions of each stratum to k folds of equal size.
func (b *bench) folds(k int, seed uint64) []int {
	// The methods of rand.Rand may change with a Go release; the generator's output does not.
	random := rand.NewPCG(seed, 1)
	fold := make([]int, len(b.questions))
	dealt := 0
	for h := range b.strata {
		rows := b.those(func(q *question) bool { return q.stratum == h })
		for i := len(rows) - 1; i > 0; i-- {
			j, _ := bits.Mul64(random.Uint64(), uint64(i+1))
			rows[i], rows[j] = rows[j], rows[i]
		}
		for _, i := range rows {
			fold[i] = dealt % k
			dealt++
		}
	}
	return fold
}

// trainings returns the training sets: all questions, then all but each fold, then, if there
// are several sets, all but each set.
func (b *bench) trainings(fold []int, k int) [][]int {
	out := [][]int{b.all()}
	for f := range k {
		out = append(out, slices.DeleteFunc(b.all(), func(i int) bool { return fold[i] == f }))
	}
	if len(b.places) > 1 {
		for s := range b.places {
			out = append(out, b.those(func(q *question) bool { return q.set != s }))
		}
	}
	return out
}
