package tune

import (
	"slices"
	"sort"

	"github.com/nsfl-go/nsfl/profile"
)

// cuts gathers what is left of rankings when they are cut off.
type cuts struct {
	run            *run
	rows           []int
	observed       [][]observation
	scores, zs     flat
	half, score, z []float64 // F1 by question
}

// flat is thresholds that are the same for all questions.
type flat struct {
	at []float64
	f1 map[int][]float64 // by question, for each of them
}

func (r *run) cuts(rows []int, observed [][]observation) *cuts {
	n := len(r.questions)
	c := &cuts{run: r, rows: rows, observed: observed, half: make([]float64, n), score: make([]float64, n), z: make([]float64, n)}
	c.scores = c.flat(func(o observation) float64 { return float64(o.score) })
	c.zs = c.flat(func(o observation) float64 { return float64(o.z) })
	return c
}

// flat tries the values of observations near the top of rankings, at even distances.
// No judgement takes part in what is tried.
func (c *cuts) flat(value func(observation) float64) flat {
	const tried = 200
	var values []float64
	for _, i := range c.rows {
		for _, o := range c.observed[i][:min(keptRank, len(c.observed[i]))] {
			values = append(values, value(o))
		}
	}
	slices.Sort(values)
	f := flat{f1: map[int][]float64{}}
	for k := range tried {
		f.at = append(f.at, values[k*len(values)/tried])
	}
	for _, i := range c.rows {
		for _, t := range f.at {
			f.f1[i] = append(f.f1[i], c.cut(i, func(o observation) bool { return value(o) < t }))
		}
	}
	return f
}

// cut is the F1 of a question's ranking down to the first that is below.
func (c *cuts) cut(i int, below func(observation) bool) float64 {
	o := c.observed[i]
	n := sort.Search(len(o), func(k int) bool { return below(o[k]) })
	return f1(o[:n], len(c.run.questions[i].ideal))
}

// best is the threshold with the highest mean for some questions.
func (f flat) best(b *bench, rows []int) int {
	best, most := 0, -1.0
	values := make([]float64, len(b.questions))
	for t := range f.at {
		for _, i := range rows {
			values[i] = f.f1[i][t]
		}
		if mean, _ := b.mean(values, rows); mean > most {
			best, most = t, mean
		}
	}
	return best
}

// add adds the questions in, with thresholds that were chosen by those out.
func (c *cuts) add(l profile.Logistic, in, out []int) {
	score, z := c.scores.best(c.run.bench, out), c.zs.best(c.run.bench, out)
	for _, i := range in {
		c.half[i] = c.cut(i, func(o observation) bool { return l.Of(float64(o.z)) < 0.5 })
		c.score[i], c.z[i] = c.scores.f1[i][score], c.zs.f1[i][z]
	}
}

func (c *cuts) figures() (half, score, z float64) {
	half, _ = c.run.mean(c.half, c.rows)
	score, _ = c.run.mean(c.score, c.rows)
	z, _ = c.run.mean(c.z, c.rows)
	return half, score, z
}
