package pushdown

import (
	"strconv"
	"strings"
)

type infix struct {
	least, greatest func(of []string) string
	branch          func(less, than, then, otherwise string) string
	cosine          func(term int) (text string, hold int)
	value           func(i int) string
	maximum         func(gate int) string
}

// Operator precedence.
const (
	loose  = iota // a sum or a difference
	tight         // a product or a quotient
	closed        // it needs no parentheses
)

func (p *infix) text(x Expr) string {
	t, _ := p.write(x)
	return t
}

func (p *infix) write(x Expr) (text string, hold int) {
	switch x := x.(type) {
	case Number:
		if x < 0 {
			return number(float64(x)), loose
		}
		return number(float64(x)), closed
	case Cosine:
		return p.cosine(int(x))
	case Ref:
		return p.value(int(x)), closed
	case Maximum:
		return p.maximum(int(x)), closed
	case Binary:
		hold := tight
		if x.Op == '+' || x.Op == '-' {
			hold = loose
		}
		return p.held(x.X, hold) + " " + string(x.Op) + " " + p.held(x.Y, hold+1), hold
	case Max:
		return p.greatest(p.texts(x)), closed
	case Min:
		return p.least(p.texts(x)), closed
	case If:
		return p.branch(p.text(x.Less), p.text(x.Than), p.text(x.Then), p.text(x.Else)), closed
	}
	panic("pushdown: an expression of another package")
}

// held writes an operand, in parentheses if needed.
func (p *infix) held(x Expr, least int) string {
	text, hold := p.write(x)
	if hold < least {
		return "(" + text + ")"
	}
	return text
}

func (p *infix) texts(of []Expr) []string {
	out := make([]string, len(of))
	for i, x := range of {
		out[i] = p.text(x)
	}
	return out
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func call(name string) func([]string) string {
	return func(of []string) string { return name + "(" + strings.Join(of, ", ") + ")" }
}

func callTwo(name string) func([]string) string {
	return func(of []string) string {
		out := of[0]
		for _, x := range of[1:] {
			out = name + "(" + out + ", " + x + ")"
		}
		return out
	}
}
