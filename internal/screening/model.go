package screening

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
)

// The model is a support vector machine with squared hinge loss, trained by dual coordinate
// descent (Hsieh et al., ICML 2008). Its parameters were chosen with the results on both sets of
// doc/screening.md in view.
const (
	cost        = 0.1  // C of the machine, per unit of a record's weight
	ratio       = 10.0 // total weight of the included records, relative to the excluded ones
	vectorScale = 0.5  // length of a record's vector beside its terms, which have length 1
	scoreScale  = 0.15 // length of an average record's scores for the formula and its parts
	patience    = 1.0  // inclusions after which the model counts as much as the formula
	sweeps      = 30   // passes over the decisions per fit, at most
	tolerance   = 2e-3 // change of a multiplier that asks for another pass
)

// Model ranks records. It is not safe for concurrent use.
type Model struct {
	terms   *Terms
	vectors [][]float32 // of length 1, or nil
	formula []float32   // standardized formula scores; nil without a formula
	parts   [][]float32 // of each record: standardized scores of the formula and its parts
	norms   []float64   // squared length of each record's features

	alpha    []float64 // multiplier of each record
	labels   []int8    // 1 included, -1 excluded, 0 undecided
	byTerm   []float32 // the weights
	byVector []float32
	byPart   []float32
	bias     float64
}

// newModel returns a model of records, given their terms, their vectors and columns of
// scores: that of the formula, then those of its parts. Without a formula there are none.
func newModel(terms *Terms, vectors [][]float32, scores [][]float32) *Model {
	n := len(terms.rows)
	m := &Model{terms: terms, vectors: vectors, parts: make([][]float32, n)}
	m.norms, m.alpha, m.labels = make([]float64, n), make([]float64, n), make([]int8, n)
	m.byTerm, m.byPart = make([]float32, len(terms.numbers)), make([]float32, len(scores))
	all := make([]float32, n*len(scores))
	for i := range n {
		m.parts[i] = all[i*len(scores) : (i+1)*len(scores)]
	}
	for c, column := range scores {
		column = standardized(column)
		if c == 0 {
			m.formula = column
		}
		scale := float32(scoreScale / math.Sqrt(float64(len(scores))))
		for i, s := range column {
			m.parts[i][c] = scale * s
		}
	}
	for i := range n {
		m.norms[i] = 1 // the bias
		for _, e := range terms.rows[i] {
			m.norms[i] += float64(e.weight * e.weight)
		}
		if vectors[i] != nil {
			m.byVector = make([]float32, len(vectors[i]))
			m.norms[i] += vectorScale * vectorScale
		}
		for _, p := range m.parts[i] {
			m.norms[i] += float64(p * p)
		}
	}
	return m
}

// standardized returns scores with mean 0 and standard deviation 1.
func standardized(scores []float32) []float32 {
	mean, square := 0.0, 0.0
	for _, s := range scores {
		mean += float64(s)
		square += float64(s) * float64(s)
	}
	n := float64(max(1, len(scores)))
	mean /= n
	deviation := math.Sqrt(max(square/n-mean*mean, 1e-12))
	out := make([]float32, len(scores))
	for i, s := range scores {
		out[i] = float32((float64(s) - mean) / deviation)
	}
	return out
}

// Decide sets the label of a record: 1 included, -1 excluded, 0 neither.
func (m *Model) Decide(record int, label int8) {
	if m.labels[record] != label {
		m.update(record, -m.alpha[record]*float64(m.labels[record]))
		m.alpha[record], m.labels[record] = 0, label
	}
}

// Reset makes the next fit start afresh, so that it depends on the decisions alone and not on
// earlier fits, from which it differs within the tolerance.
func (m *Model) Reset() {
	clear(m.alpha)
	clear(m.byTerm)
	clear(m.byVector)
	clear(m.byPart)
	m.bias = 0
}

// Fit fits the model to the decisions, starting from the previous fit.
func (m *Model) Fit() {
	var decided []int
	included := 0.0
	for i, l := range m.labels {
		if l != 0 {
			decided = append(decided, i)
		}
		if l > 0 {
			included++
		}
	}
	excluded := float64(len(decided)) - included
	if included == 0 || excluded == 0 {
		return
	}
	// The weights of both classes: their totals have the ratio, their mean is 1.
	total := included + excluded
	weights := [3]float64{total / (1 + ratio) / excluded, 0, total * ratio / (1 + ratio) / included}
	// Most multipliers settle in one pass: the others are repeated alone.
	for range sweeps {
		active := m.sweep(decided, weights)
		if len(active) == 0 {
			break
		}
		for pass := 0; len(active) > 0 && pass < sweeps; pass++ {
			active = m.sweep(active, weights)
		}
	}
}

// sweep optimizes the multipliers of records one after another, and returns the records whose
// multipliers moved.
func (m *Model) sweep(records []int, weights [3]float64) (moved []int) {
	for _, i := range records {
		y := float64(m.labels[i])
		diagonal := 1 / (2 * cost * weights[m.labels[i]+1])
		gradient := y*m.margin(i) - 1 + diagonal*m.alpha[i]
		next := max(0, m.alpha[i]-gradient/(m.norms[i]+diagonal))
		step := next - m.alpha[i]
		if step == 0 {
			continue
		}
		m.alpha[i] = next
		m.update(i, step*y)
		if math.Abs(step) > tolerance {
			moved = append(moved, i)
		}
	}
	return moved
}

// update adds a multiple of a record's features to the weights.
func (m *Model) update(i int, by float64) {
	if by == 0 {
		return
	}
	for _, e := range m.terms.rows[i] {
		m.byTerm[e.term] += float32(by) * e.weight
	}
	if m.vectors[i] != nil {
		vec.AddScaled(m.byVector, m.vectors[i], float32(by*vectorScale))
	}
	for c, p := range m.parts[i] {
		m.byPart[c] += float32(by) * p
	}
	m.bias += by
}

// margin returns the value of the model for a record.
func (m *Model) margin(i int) float64 {
	sum := float32(0)
	for _, e := range m.terms.rows[i] {
		sum += m.byTerm[e.term] * e.weight
	}
	for c, p := range m.parts[i] {
		sum += m.byPart[c] * p
	}
	out := float64(sum) + m.bias
	if m.vectors[i] != nil {
		out += vectorScale * float64(vec.Dot(m.byVector, m.vectors[i]))
	}
	return out
}

// Scores returns the score of every record: the formula's, mixed with the model's as
// inclusions accumulate.
func (m *Model) Scores() []float32 {
	included, excluded := 0.0, 0.0
	for _, l := range m.labels {
		switch {
		case l > 0:
			included++
		case l < 0:
			excluded++
		}
	}
	if included == 0 || excluded == 0 {
		if m.formula == nil {
			return make([]float32, len(m.labels))
		}
		return m.formula
	}
	out := make([]float32, len(m.labels))
	const part = 2000 // records that a goroutine scores
	var all sync.WaitGroup
	for from := 0; from < len(out); from += part {
		all.Go(func() {
			for i := from; i < min(from+part, len(out)); i++ {
				out[i] = float32(m.margin(i))
			}
		})
	}
	all.Wait()
	if m.formula == nil {
		return out
	}
	out = standardized(out)
	share := float32(included / (included + patience))
	for i := range out {
		out[i] = share*out[i] + (1-share)*m.formula[i]
	}
	return out
}

// reasons returns the terms of a text with the largest weights, best first, without those that
// have stop words, and whether the model was fitted.
func (m *Model) reasons(text string, most int) (terms []string, fitted bool) {
	weights := map[string]float32{}
	for term, hash := range hashes(text) {
		if number, known := m.terms.numbers[hash]; known && m.byTerm[number] > 0 && words.ContentWords(term) == 1+strings.Count(term, " ") {
			weights[term] = m.byTerm[number]
		}
	}
	terms = slices.SortedFunc(maps.Keys(weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	return terms[:min(most, len(terms))], m.bias != 0
}
