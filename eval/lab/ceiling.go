package lab

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

// The folds of Ceiling, and how strongly weights are held near zero.
const (
	ceilingFolds = 5
	ceilingRidge = 3
)

// Ceiling ranks by what a linear reader of the documents' vectors can know of their
// labels when it is told the labels of four fifths of the documents, and is asked
// about the rest: ridge regression of each label on the vector of the whole and the
// mean of the passages, a conjunction being the product of what it gives, a
// disjunction 1 − Π(1 − p). No search has labels; what none can pass by much, as
// long as it compares the same vectors, is of interest.
func Ceiling(ctx context.Context, set *sets.Set, corpus *Corpus) (*Outcome, error) {
	labels, err := labelsOf(set)
	if err != nil {
		return nil, err
	}
	p, err := predict(ctx, corpus.features(), labels, len(corpus.IDs))
	if err != nil {
		return nil, err
	}
	o := &Outcome{Queries: make([]Measured, len(set.Queries))}
	scores := make([]float32, len(corpus.IDs))
	for i := range set.Queries {
		q := &set.Queries[i]
		if q.Truth == "" {
			return nil, fmt.Errorf("query %s has no formula over labels; a ceiling needs a logic set", q.ID)
		}
		truth, err := query.Parse(q.Truth)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		for d := range scores {
			scores[d] = float32(p.of(truth, d))
		}
		top := vec.NewTopK(min(Depth, len(scores)))
		top.Push(0, scores)
		lines, _ := top.Ranked()
		ids := make([]string, len(lines))
		for j, line := range lines {
			ids[j] = corpus.IDs[line]
		}
		if o.Queries[i], err = Measure(q, ids); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// labelsOf are the documents of each label that a truth names.
func labelsOf(set *sets.Set) (map[string][]int, error) {
	labels := map[string][]int{}
	for i := range set.Queries {
		n, err := query.Parse(set.Queries[i].Truth)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", set.Queries[i].ID, err)
		}
		for a := range query.Atoms(n) {
			labels[a.Text] = nil
		}
	}
	at := 0
	for d, err := range set.Documents {
		if err != nil {
			return nil, err
		}
		for _, l := range d.Labels {
			if _, wanted := labels[l]; wanted {
				labels[l] = append(labels[l], at)
			}
		}
		at++
	}
	return labels, nil
}

// features are the vector of the whole, the mean of the passages, and 1.
func (c *Corpus) features() [][]float64 {
	out := make([][]float64, len(c.IDs))
	for i := range out {
		x := make([]float64, 0, 2*c.dim+1)
		for _, v := range c.whole.row(c.whole.first[i]) {
			x = append(x, float64(v))
		}
		if c.passages != nil {
			mean := make([]float64, c.dim)
			from, to := c.passages.first[i], c.passages.first[i+1]
			for r := from; r < to; r++ {
				for j, v := range c.passages.row(r) {
					mean[j] += float64(v) / float64(to-from)
				}
			}
			x = append(x, mean...)
		}
		out[i] = append(x, 1)
	}
	return out
}

// predictions are probabilities of labels, by document.
type predictions map[string][]float64

// of is the probability of a formula for a document, labels being independent.
func (p predictions) of(n query.Node, d int) float64 {
	switch n := n.(type) {
	case *query.Atom:
		return p[n.Text][d]
	case *query.Not:
		return 1 - p.of(n.X, d)
	case *query.And:
		out := 1.0
		for _, part := range n.Parts {
			out *= p.of(part, d)
		}
		return out
	case *query.Or:
		out := 1.0
		for _, part := range n.Parts {
			out *= 1 - p.of(part, d)
		}
		return 1 - out
	}
	return 0
}

// predict learns each label from the documents outside a fold and asks about those
// in it. Document i is in fold i mod 5.
func predict(ctx context.Context, x [][]float64, labels map[string][]int, documents int) (predictions, error) {
	n := len(x[0])
	// The sums of all documents, and of each fold, which is taken from them.
	grams := make([][]float64, ceilingFolds)
	for f := range grams {
		grams[f] = make([]float64, n*n)
	}
	all := make([]float64, n*n)
	for d, row := range x {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g := grams[d%ceilingFolds]
		for i, a := range row {
			for j, b := range row[:i+1] {
				g[i*n+j] += a * b
			}
		}
	}
	for _, g := range grams {
		for i := range all {
			all[i] += g[i]
		}
	}
	out := predictions{}
	for l := range labels {
		out[l] = make([]float64, documents)
	}
	for f := range ceilingFolds {
		gram := make([]float64, n*n)
		for i := range gram {
			gram[i] = all[i] - grams[f][i]
		}
		for i := range n {
			gram[i*n+i] += ceilingRidge
		}
		if err := cholesky(gram, n); err != nil {
			return nil, err
		}
		for l, has := range labels {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			w := make([]float64, n)
			for _, d := range has {
				if d%ceilingFolds != f {
					for i, a := range x[d] {
						w[i] += a
					}
				}
			}
			solve(gram, n, w)
			for d := f; d < documents; d += ceilingFolds {
				var dot float64
				for i, a := range x[d] {
					dot += a * w[i]
				}
				out[l][d] = min(max(dot, 0.001), 0.999)
			}
		}
	}
	return out, nil
}

// cholesky replaces the lower half of a symmetric matrix by L with L·Lᵀ equal to
// it.
func cholesky(a []float64, n int) error {
	for i := range n {
		for j := range i + 1 {
			sum := a[i*n+j]
			for k := range j {
				sum -= a[i*n+k] * a[j*n+k]
			}
			switch {
			case i > j:
				a[i*n+j] = sum / a[j*n+j]
			case sum <= 0:
				return errors.New("the vectors of the documents determine no weights")
			default:
				a[i*n+i] = math.Sqrt(sum)
			}
		}
	}
	return nil
}

// solve solves L·Lᵀ·x = b in place.
func solve(l []float64, n int, b []float64) {
	for i := range n {
		for k := range i {
			b[i] -= l[i*n+k] * b[k]
		}
		b[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= l[k*n+i] * b[k]
		}
		b[i] /= l[i*n+i]
	}
}
