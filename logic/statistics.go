package logic

import (
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/query"
)

// Statistics are what a program must know of all documents before it can score
// one of them. They belong to the program that took them.
type Statistics struct {
	// Maxima are the largest scores of the formulas that Gated lists: Ŝ_B of
	// the paper, or the corpus bound.
	Maxima []float64 `json:"maxima,omitempty"`
	// Tops are the means of the ten largest similarities, for ByTop.
	Tops []float64 `json:"tops,omitempty"`
	// Spreads are those of the similarities to each term that is read, for
	// Product.
	Spreads []Spread `json:"spreads,omitempty"`
}

// Spread is how the similarities to a term lie among the documents.
type Spread struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

// measure is one statistic: of a register, over all documents.
type measure struct {
	kind    measureKind
	formula query.Node
	reg     int
	after   int // number of operators that must have run before reg is set
	index   int // among those of its kind in Statistics
}

type measureKind uint8

const (
	ofMaximum measureKind = iota
	ofTop
	ofSpread
	measureKinds
)

// Statistics measures the documents that are to be scored. Columns are cosines,
// one column per term of the formula.
func (p *Program) Statistics(columns [][]float32) (Statistics, error) {
	n, err := p.check(columns)
	if err != nil {
		return Statistics{}, err
	}
	s := Statistics{
		Maxima:  make([]float64, p.counts[ofMaximum]),
		Tops:    make([]float64, p.counts[ofTop]),
		Spreads: make([]Spread, p.counts[ofSpread]),
	}
	m := newMachine(p.regs)
	defer scratch.Put(m)
	for i := range p.measures {
		switch x := &p.measures[i]; {
		case x.kind == ofTop:
			var t topTen
			p.each(m, x, columns, n, &s, t.add)
			s.Tops[x.index] = t.mean()
		case x.kind == ofSpread:
			var d deviations
			p.each(m, x, columns, n, &s, d.add)
			s.Spreads[x.index] = d.spread()
		case p.options.Gate.Kind == ByBound:
			s.Maxima[x.index] = p.options.Gate.Bound
		default:
			largest := &s.Maxima[x.index]
			p.each(m, x, columns, n, &s, func(values []float64) {
				for _, v := range values {
					if v > *largest {
						*largest = v
					}
				}
			})
		}
	}
	return s, nil
}

// each gives the values of a register, block by block. What the register
// depends on was measured before.
func (p *Program) each(m *machine, x *measure, columns [][]float32, n int, s *Statistics, add func([]float64)) {
	for from := 0; from < n; from += block {
		size := min(block, n-from)
		if x.reg < len(columns) {
			p.load(m, columns, x.reg, from, size)
		} else {
			p.loadAll(m, columns, s, from, size)
			p.exec(m, p.ops[:x.after], s, size)
		}
		add(m.regs[x.reg][:size])
	}
}

// suits reports statistics of another program.
func (p *Program) suits(s Statistics) error {
	if have := [measureKinds]int{len(s.Maxima), len(s.Tops), len(s.Spreads)}; have != p.counts {
		return fmt.Errorf("%s needs %d maxima, %d tops and %d spreads, but the statistics have %d, %d and %d: take those of Program.Statistics or Rank",
			p.formula.Root, p.counts[ofMaximum], p.counts[ofTop], p.counts[ofSpread], have[ofMaximum], have[ofTop], have[ofSpread])
	}
	return nil
}

// topTen holds the ten largest values, the smallest first.
type topTen struct {
	values [10]float64
	n      int
}

func (t *topTen) add(values []float64) {
	for _, v := range values {
		i := 0
		if t.n < len(t.values) {
			// Room is made at the front by moving all up.
			copy(t.values[1:t.n+1], t.values[:t.n])
			t.n++
		} else if v <= t.values[0] {
			continue
		}
		for ; i+1 < t.n && t.values[i+1] < v; i++ {
			t.values[i] = t.values[i+1]
		}
		t.values[i] = v
	}
}

// mean adds from the smallest on, so that the order of documents does not
// matter to the last bit.
func (t *topTen) mean() float64 {
	if t.n == 0 {
		return 0
	}
	var sum float64
	for _, v := range t.values[:t.n] {
		sum += v
	}
	return sum / float64(t.n)
}

// deviations sums values and their squares, relative to the first one: where
// all are equal the deviation is exactly 0.
type deviations struct {
	first, sum, squares float64
	n                   int
}

func (d *deviations) add(values []float64) {
	if d.n == 0 {
		d.first = values[0]
	}
	d.n += len(values)
	for _, v := range values {
		v -= d.first
		d.sum += v
		d.squares += float64(v * v)
	}
}

func (d *deviations) spread() Spread {
	if d.n == 0 {
		return Spread{}
	}
	n := float64(d.n)
	mean := d.sum / n
	return Spread{d.first + mean, math.Sqrt(max(0, d.squares/n-float64(mean*mean)))}
}
