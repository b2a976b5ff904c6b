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
		return nil, fmt.Errorf("the formula would become an expression of %.0f parts, but the limit is %d; shorten the formula, or compile it for a system with named values, such as sql", sizes[value], maxParts)
	}
	return p.expr(p.score.Values[value].Expr), nil
}

// maxParts limits the size of an expression.
const maxParts = 20_000

// size estimates the number of parts of a written expression. Operands of a minimum, a maximum
// and a comparison are written several times.
func size(x Expr, of []float64) float64 {
	times := 1.0
	switch x := x.(type) {
	case Ref:
		return of[x]
	case Max, Min:
		times = float64(len(operands(x)))
	case If:
		return 2 + 8*(size(x.Less, of)+size(x.Than, of)) + size(x.Then, of) + size(x.Else, of)
	}
	sum := 1.0
	for _, y := range operands(x) {
		sum += times * size(y, of)
	}
	return sum
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
	case Binary:
		a, b := p.expr(x.X), p.expr(x.Y)
		switch x.Op {
		case '+':
			return p.sum(a, b)
		case '-':
			return p.difference(a, b)
		case '*':
			return p.product(a, b)
		}
		return p.quotient(a, b)
	case Max:
		return p.fold(x, p.greatest)
	case Min:
		return p.fold(x, p.least)
	case If:
		// Multiplying by 0 and 1 rounds neither branch, so equal values stay equal.
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
