package pushdown

import "fmt"

// prefix writes expressions as nested objects. Values have no names, so a value that is read
// twice is written twice. There is no conditional: If becomes the sum of both branches, one
// times 1 and the other times 0.
type prefix struct {
	score           *Score
	number          func(x float64) any
	cosine, maximum func(i int) any
	sum, product    func(x, y any) any
	negative        func(x any) any
	quotient        func(x, y any) any
	greatest, least func(x, y any) any
	// positive is 1 if x > 0, and 0 otherwise.
	positive func(x any) any
}

// write writes a value of the score, or returns an error if it would be too large.
func (p *prefix) write(value int) (any, error) {
	sizes := make([]float64, 0, len(p.score.Values))
	for _, v := range p.score.Values {
		sizes = append(sizes, size(v.Expr, sizes))
	}
	if sizes[value] > maxParts {
		return nil, fmt.Errorf("the formula would become an expression of %.0f parts, of which %d are possible: leave something out, or write it for a system that has names for parts, such as sql", sizes[value], maxParts)
	}
	return p.expr(p.score.Values[value].Expr), nil
}

// maxParts limits the size of an expression.
const maxParts = 20_000

// size estimates the number of parts of a written expression. Operands of a minimum, a maximum
// and a comparison are written several times.
func size(x Expr, of []float64) float64 {
	several := func(times float64, all ...Expr) float64 {
		sum := 1.0
		for _, x := range all {
			sum += times * size(x, of)
		}
		return sum
	}
	switch x := x.(type) {
	case Ref:
		return of[x]
	case Sum:
		return several(1, x.X, x.Y)
	case Difference:
		return several(1, x.X, x.Y)
	case Product:
		return several(1, x.X, x.Y)
	case Quotient:
		return several(1, x.X, x.Y)
	case Max:
		return several(float64(len(x)), x...)
	case Min:
		return several(float64(len(x)), x...)
	case If:
		return several(8, x.Less, x.Than) + several(1, x.Then, x.Else)
	}
	return 1
}

func (p *prefix) expr(x Expr) any {
	switch x := x.(type) {
	case Number:
		return p.number(float64(x))
	case Cosine:
		return p.cosine(int(x))
	case Ref:
		return p.expr(p.score.Values[x].Expr)
	case Maximum:
		return p.maximum(int(x))
	case Sum:
		return p.sum(p.expr(x.X), p.expr(x.Y))
	case Difference:
		return p.difference(p.expr(x.X), p.expr(x.Y))
	case Product:
		return p.product(p.expr(x.X), p.expr(x.Y))
	case Quotient:
		return p.quotient(p.expr(x.X), p.expr(x.Y))
	case Max:
		return p.fold(x, p.greatest)
	case Min:
		return p.fold(x, p.least)
	case If:
		// Multiplied with 0 and 1, neither branch is rounded, which would decide
		// comparisons of what is equal.
		step := p.less(x.Less, x.Than)
		return p.sum(p.product(step, p.expr(x.Then)), p.product(p.difference(p.number(1), step), p.expr(x.Else)))
	}
	panic("pushdown: an expression of another package")
}

// less is 1 if x < y, and 0 otherwise.
func (p *prefix) less(x, y Expr) any {
	all := []Expr{y}
	if m, ok := y.(Min); ok { // x is less than each of them
		all = m
	}
	var out any
	for _, y := range all {
		step := p.positive(p.difference(p.expr(y), p.expr(x)))
		if out == nil {
			out = step
		} else {
			out = p.product(out, step)
		}
	}
	return out
}

func (p *prefix) difference(x, y any) any { return p.sum(x, p.negative(y)) }

func (p *prefix) fold(of []Expr, two func(x, y any) any) any {
	out := p.expr(of[0])
	for _, x := range of[1:] {
		out = two(out, p.expr(x))
	}
	return out
}

// list returns an operation over a list; a first operand with the same operation is merged.
func list(name string) func(x, y any) any {
	return func(x, y any) any {
		if o, ok := x.(object); ok && o[name] != nil {
			before := o[name].([]any)
			return object{name: append(before[:len(before):len(before)], y)}
		}
		return object{name: []any{x, y}}
	}
}
