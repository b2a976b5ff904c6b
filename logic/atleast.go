package logic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// At least k of several parts goes beyond the paper. If it can hold in few ways, each way
// is a conjunction with its own fusion and the best one counts; k of k is therefore
// exactly AND. If there are many ways, encoding a string for each is not worthwhile, and
// the score is computed from the k best parts: half their minimum plus half their mean,
// as for words.

// atLeast compiles k OF.
func (c compiler) atLeast(n *query.AtLeast) int {
	if ways := n.Ways(); ways != nil && !c.structural {
		return c.emit(op{kind: opOr, formula: n, parts: c.all(ways), fused: none})
	}
	return c.emit(op{kind: opSome, formula: n, parts: c.all(n.Parts), weights: discounts(n.Parts), fused: none, least: n.K})
}

// lexicalAtLeast compiles the lexical score of k OF.
func (c compiler) lexicalAtLeast(n *query.AtLeast) int {
	o := op{kind: opFew, formula: n, fused: none, weights: discounts(n.Parts), least: n.K}
	for _, p := range n.Parts {
		o.parts = append(o.parts, c.lexical(p))
	}
	return c.emit(o)
}

func (p *Program) execSome(m *machine, o *op, size int) {
	var some [query.MaxLeaves]float64
	for i := range size {
		values := some[:len(o.parts)]
		for k, part := range o.parts {
			values[k] = o.discounted(k, m.regs[part][i])
		}
		m.regs[o.dst][i] = o.best(values)
	}
}

// ofSome combines the k best parts with a fraction of the others. It equals the rule for
// all parts if k is their number, and the rule for any part if k is 1.
func (o *op) ofSome(parts [][]float64, i int) float64 {
	var some [query.MaxLeaves]float64
	values := some[:len(parts)]
	for k, part := range parts {
		values[k] = o.discounted(k, part[i])
	}
	value := o.best(values)
	for _, v := range values[o.least:] {
		value += float64(alternatives * max(0, v))
	}
	return value
}

// best returns half the minimum plus half the mean of the k largest values, which it
// moves to the front.
func (o *op) best(values []float64) float64 {
	descend(values)
	sum := 0.0
	for _, v := range values[:o.least] {
		sum += v
	}
	return (values[o.least-1] + sum/float64(o.least)) / 2
}

// discounted applies the weight of a part to its value.
func (o *op) discounted(k int, v float64) float64 {
	if v > 0 {
		v *= o.discount(k)
	}
	return v
}

// descend sorts a few values in descending order.
func descend(values []float64) {
	for i, v := range values {
		for ; i > 0 && values[i-1] < v; i-- {
			values[i] = values[i-1]
		}
		values[i] = v
	}
}

// chosen returns the k parts with the largest values, largest first.
func (o *op) chosen(value func(k int) float64) []int {
	order := make([]int, len(o.parts))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value(b), value(a)) })
	return order[:o.least]
}

// some evaluates the operator at a point; someSlope adds its gradient to the slopes.
func (o *op) some(v []float64) float64 {
	values := make([]float64, len(o.parts))
	for k, part := range o.parts {
		values[k] = o.discount(k) * v[part]
	}
	return o.best(values)
}

func (o *op) someSlope(v []float64, slope float64, slopes []float64) {
	chosen := o.chosen(func(k int) float64 { return o.discount(k) * v[o.parts[k]] })
	for i, k := range chosen {
		share := 1 / float64(2*o.least)
		if i == o.least-1 {
			share += 0.5
		}
		slopes[o.parts[k]] += share * o.discount(k) * slope
	}
}

func (e *explainer) some(x *Explanation, o *op) {
	x.Rule = "at least"
	values := e.operands(x, o.parts)
	var names []string
	for _, k := range o.chosen(func(k int) float64 { return o.discounted(k, values[k]) }) {
		names = append(names, fmt.Sprintf("%s with %s", show(e.name(o.parts[k])), num(values[k])))
	}
	x.Sentence = fmt.Sprintf("the best %d of %d are %s: half the last of them and half their mean count", o.least, len(o.parts), strings.Join(names, ", "))
}
