package screening

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/vec"
)

// made returns records of random words and vectors, the first share of which are about a
// topic.
func made(n, relevant, dimension, length int) (texts []string, vectors [][]float32, labels []bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		labels = append(labels, i < relevant)
		var words []string
		for range length {
			// Word frequencies fall off as in a natural text.
			word := int(math.Exp(rng.Float64() * math.Log(40_000)))
			if labels[i] && rng.Float64() < 0.2 {
				word = 50_000 + rng.IntN(20)
			}
			words = append(words, fmt.Sprintf("w%d", word))
		}
		v := make([]float32, dimension)
		for j := range v {
			v[j] = float32(rng.NormFloat64())
		}
		_ = vec.Normalize(v) // it is not zero
		texts, vectors = append(texts, strings.Join(words, " ")), append(vectors, v)
	}
	return texts, vectors, labels
}

// A fit is close to the optimum, which many more passes reach.
func TestFitOptimal(t *testing.T) {
	texts, vectors, labels := made(300, 30, 16, 40)
	m := newModel(newTerms(texts), vectors, nil)
	var decided []int
	for i, l := range labels[:200] {
		decided = append(decided, i)
		m.Decide(i, -1)
		if l {
			m.Decide(i, 1)
		}
	}
	m.Fit()
	got := m.Scores()
	for range 5000 {
		m.sweep(decided, [3]float64{200 / (1 + ratio) / 170, 0, 200 * ratio / (1 + ratio) / 30})
	}
	for i, want := range m.Scores() {
		if math.Abs(float64(got[i]-want)) > 0.05 {
			t.Errorf("record %d: got %v, want %v", i, got[i], want)
		}
	}
	// Taking all decisions back gives the weights 0 again.
	for i := range 200 {
		m.Decide(i, 0)
	}
	for term, w := range m.byTerm {
		if math.Abs(float64(w)) > 1e-4 {
			t.Fatalf("term %d: got weight %v, want 0", term, w)
		}
	}
}

// Reading by the model finds the relevant records early.
func TestSimulate(t *testing.T) {
	texts, vectors, labels := made(600, 40, 16, 60)
	order := Simulate(newModel(newTerms(texts), vectors, nil), labels, Priors(labels, 1), false)
	if s := Measure(labels, order, 2); s.WSS95 < 0.6 {
		t.Errorf("got %+v, want WSS@95 of at least 0.6", s)
	}
}

// BenchmarkRefit measures the time between a decision and the next record: a fit from scratch
// and the scores of all records.
func BenchmarkRefit(b *testing.B) {
	texts, vectors, labels := made(50_000, 500, 384, 200)
	terms := newTerms(texts)
	for _, decided := range []int{100, 1000} {
		b.Run(fmt.Sprintf("records=50000/decisions=%d", decided), func(b *testing.B) {
			m := newModel(terms, vectors, [][]float32{make([]float32, len(texts))})
			for i := range decided {
				record := i * (len(texts) / decided)
				if i < decided/10 {
					record = i
				}
				m.Decide(record, -1)
				if labels[record] {
					m.Decide(record, 1)
				}
			}
			for b.Loop() {
				m.Reset()
				m.Fit()
				m.Scores()
			}
		})
	}
}
