package logic

import (
	"fmt"
	"sync"
)

// block is the number of documents that an operator processes at a time: few enough for
// all registers to stay in the first-level cache, many enough to amortize the switch
// between operators.
const block = 256

// register holds one value for each document of a block.
type register [block]float64

var scratch = sync.Pool{New: func() any { return new(machine) }}

// machine is the memory of one run.
type machine struct {
	regs     []register
	top, low register // of the parts of the current operator
	sum      register
}

func newMachine(regs int) *machine {
	m := scratch.Get().(*machine)
	if cap(m.regs) < regs {
		m.regs = make([]register, regs)
	}
	m.regs = m.regs[:regs]
	return m
}

// Maxima returns, for each negated formula, its largest score among the documents: Ŝ_B of
// the paper. With a corpus bound it is that bound. Columns are cosines, one column per
// term of the formula.
func (p *Program) Maxima(columns [][]float32) ([]float64, error) {
	n, err := p.check(columns)
	if err != nil {
		return nil, err
	}
	maxima := make([]float64, len(p.gates))
	m := newMachine(p.regs)
	defer scratch.Put(m)
	for i, g := range p.gates {
		if p.options.Gate.Kind == ByBound {
			maxima[i] = p.options.Gate.Bound
			continue
		}
		// A gate depends only on gates inside its own formula, which come before it.
		for from := 0; from < n; from += block {
			size := min(block, n-from)
			if g.reg < p.Columns() {
				p.load(m, columns, g.reg, from, size)
			} else {
				p.loadAll(m, columns, from, size)
				p.exec(m, p.ops[:g.after], maxima, size)
			}
			for _, v := range m.regs[g.reg][:size] {
				if v > maxima[i] {
					maxima[i] = v
				}
			}
		}
	}
	return maxima, nil
}

// Score computes the score of every document. Columns are cosines, one per term of the
// formula in the order of Formula().Terms, followed by the shares of each atom's words if
// words count. maxima come from Maxima, over these documents or a superset. Documents are
// independent, so ranges of them can be scored in parallel with the same maxima.
func (p *Program) Score(out []float32, columns [][]float32, maxima []float64) error {
	n, err := p.check(columns)
	if err != nil {
		return err
	}
	if len(out) != n {
		return fmt.Errorf("scoring %d documents: the output has room for %d", n, len(out))
	}
	if err := p.suits(maxima); err != nil {
		return err
	}
	m := newMachine(p.regs)
	defer scratch.Put(m)
	for from := 0; from < n; from += block {
		size := min(block, n-from)
		p.loadAll(m, columns, from, size)
		p.exec(m, p.ops, maxima, size)
		for i, v := range m.regs[p.root][:size] {
			out[from+i] = float32(v)
		}
	}
	return nil
}

// Rank combines Maxima and Score for a pool that is scored at once.
func (p *Program) Rank(out []float32, columns [][]float32) (maxima []float64, err error) {
	if maxima, err = p.Maxima(columns); err != nil {
		return nil, err
	}
	return maxima, p.Score(out, columns, maxima)
}

// suits returns an error for the maxima of another program.
func (p *Program) suits(maxima []float64) error {
	if len(maxima) != len(p.gates) {
		return fmt.Errorf("%s has %d gates, but there are %d maxima: take those of Program.Maxima or Rank", p.formula.Root, len(p.gates), len(maxima))
	}
	return nil
}

// check validates the columns and returns the number of documents.
func (p *Program) check(columns [][]float32) (int, error) {
	if len(columns) != p.Columns() {
		return 0, fmt.Errorf("the formula has %d terms and %d columns of words, but there are %d columns of similarities", p.formula.Terms.Len(), len(p.shares), len(columns))
	}
	for i, c := range columns {
		if len(c) != len(columns[0]) {
			return 0, fmt.Errorf("column %d has %d similarities, column 0 has %d", i, len(c), len(columns[0]))
		}
	}
	return len(columns[0]), nil
}

// loadAll loads the columns that the operators read.
func (p *Program) loadAll(m *machine, columns [][]float32, from, size int) {
	for _, reg := range p.reads {
		p.load(m, columns, reg, from, size)
	}
	for _, reg := range p.shares {
		for i, v := range columns[reg][from:][:size] {
			m.regs[reg][i] = float64(v)
		}
	}
}

// load converts cosines to similarities in a register.
func (p *Program) load(m *machine, columns [][]float32, reg, from, size int) {
	dst := m.regs[reg][:size]
	src := columns[reg][from:][:size]
	if p.options.Similarity == Clamp { // the common case, without a call per element
		for i, v := range src {
			if v < 0 {
				v = 0
			}
			dst[i] = float64(v)
		}
		return
	}
	for i, v := range src {
		dst[i] = p.options.Similarity.Of(float64(v))
	}
}

// exec runs operators over the first size documents of the registers.
func (p *Program) exec(m *machine, ops []op, maxima []float64, size int) {
	for i := range ops {
		switch o := &ops[i]; o.kind {
		case opAnd:
			p.execAnd(m, o, size)
		case opNot:
			p.execNot(m, o, maxima, size)
		case opOr:
			p.execOr(m, o, size)
		case opAgainst:
			p.execAgainst(m, o, maxima, size)
		case opSome:
			p.execSome(m, o, size)
		default:
			p.execWords(m, o, size)
		}
	}
}

func (p *Program) execAnd(m *machine, o *op, size int) {
	dst, fused := m.regs[o.dst][:size], m.regs[o.fused][:size]
	top, sum := m.top[:size], m.sum[:size]
	copy(top, m.regs[o.parts[0]][:size])
	copy(sum, top)
	for _, part := range o.parts[1:] {
		for i, v := range m.regs[part][:size] {
			if v > top[i] {
				top[i] = v
			}
			sum[i] += v
		}
	}
	c := p.options.And.Value()
	for i, f := range fused {
		dst[i], _ = and(f, top[i], sum[i], c, o.floored)
	}
	for k, w := range o.weights {
		for i, v := range m.regs[o.parts[k]][:size] {
			dst[i] += float64(w * v)
		}
	}
}

func (p *Program) execNot(m *machine, o *op, maxima []float64, size int) {
	dst, base := m.regs[o.dst][:size], m.regs[o.fused][:size]
	copy(dst, m.regs[o.parts[0]][:size])
	exact := o.replaces()
	for j := range o.negated {
		neg := &o.negated[j]
		with, self := m.regs[neg.with][:size], m.regs[neg.self][:size]
		for i, f := range with {
			g := 1.0
			if neg.gate != none {
				g = NewGate(self[i], maxima[neg.gate])
			}
			g, _ = p.options.capped(g)
			penalty, floor := not(base[i], self[i], f, g, neg.strength, o.floored)
			if exact && floor == Departure {
				dst[i] = f
			} else {
				dst[i] -= penalty
			}
		}
	}
}

// replaces reports whether a departure sets the score to F directly, as the paper defines
// A ∧ ¬B. Subtracting what the fusion lost is equal in exact arithmetic but not bit for
// bit.
func (o *op) replaces() bool { return len(o.negated) == 1 && o.parts[0] == o.fused }

func (p *Program) execOr(m *machine, o *op, size int) {
	dst, top, low := m.regs[o.dst][:size], m.top[:size], m.low[:size]
	for k, part := range o.parts {
		discount := 1.0
		if o.weights != nil {
			discount = o.weights[k]
		}
		for i, v := range m.regs[part][:size] {
			if k == 0 || v < low[i] {
				low[i] = v
			}
			if v > 0 {
				v *= discount
			}
			if k == 0 || v > top[i] {
				top[i] = v
			}
		}
	}
	if o.fused == none {
		copy(dst, top)
		return
	}
	for i, f := range m.regs[o.fused][:size] {
		dst[i], _ = or(top[i], low[i], f, f, o.floored)
	}
}

// execAgainst ranks by dissimilarity to the unwanted parts: 1 − gate, the minimum over
// all parts.
func (p *Program) execAgainst(m *machine, o *op, maxima []float64, size int) {
	dst := m.regs[o.dst][:size]
	for j := range o.negated {
		neg := &o.negated[j]
		for i, s := range m.regs[neg.self][:size] {
			g, _ := p.options.capped(NewGate(s, maxima[neg.gate]))
			v := 1 - float64(neg.strength*g)
			if j == 0 || v < dst[i] {
				dst[i] = v
			}
		}
	}
}
