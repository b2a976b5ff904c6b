package logic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// At least k of some parts, which is ours. Where it has few ways to hold, each is a
// conjunction with a fusion of its own and the best of them counts, so that k of k is AND
// and nothing else. Where it has many, no string is worth encoding for each of them, and
// the k best parts count: half the least of them, half their mean, as words have it.

// atLeast compiles k OF.
func (c compiler) atLeast(n *query.AtLeast) int {
	if ways := n.Ways(); ways != nil && !c.structural {
		return c.emit(op{kind: opOr, formula: n, parts: c.all(ways), fused: none})
	}
	return c.emit(op{kind: opSome, formula: n, parts: c.all(n.Parts), weights: discounts(n.Parts), fused: none, least: n.K})
}

// saidBySome compiles what words say of k OF.
func (c compiler) saidBySome(n *query.AtLeast) int {
	o := op{kind: opFew, formula: n, fused: none, weights: discounts(n.Parts), least: n.K}
	for _, p := range n.Parts {
		o.parts = append(o.parts, c.said(p))
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

// ofSome is what the k best parts say, and a part of what the others say beside them: what
// all and what any say where k is all or one.
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

// best is half the least and half the mean of the k largest values, which it puts first.
func (o *op) best(values []float64) float64 {
	descend(values)
	sum := 0.0
	for _, v := range values[:o.least] {
		sum += v
	}
	return (values[o.least-1] + sum/float64(o.least)) / 2
}

// discounted is the value of a part with its weight.
func (o *op) discounted(k int, v float64) float64 {
	if v > 0 {
		v *= o.discount(k)
	}
	return v
}

// descend puts the largest of a few values first.
func descend(values []float64) {
	for i, v := range values {
		for ; i > 0 && values[i-1] < v; i-- {
			values[i] = values[i-1]
		}
		values[i] = v
	}
}

// chosen are the k parts with the largest values, the largest first.
func (o *op) chosen(value func(k int) float64) []int {
	order := make([]int, len(o.parts))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value(b), value(a)) })
	return order[:o.least]
}

// some and someSlope are the operator at a point, and what it adds to the slopes.
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
