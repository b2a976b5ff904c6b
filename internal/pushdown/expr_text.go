package pushdown

import (
	"fmt"
	"strconv"
	"strings"
)

// Operator precedence.
const (
	loose  = iota // a sum or a difference
	tight         // a product or a quotient
	closed        // it needs no parentheses
)

func (w *sqlWriter) expr(x Expr) string {
	text, _ := w.write(x)
	return text
}

func (w *sqlWriter) write(x Expr) (text string, hold int) {
	switch x := x.(type) {
	case Number:
		if x < 0 {
			return number(float64(x)), loose
		}
		return number(float64(x)), closed
	case Cosine:
		return fmt.Sprintf("1 - (%s <=> %s)", w.from.Vector, w.from.Vectors[int(x)]), loose
	case Ref:
		return w.value(int(x)), closed
	case Maximum:
		return w.maximum(int(x)), closed
	case Binary:
		hold := tight
		if x.Op == '+' || x.Op == '-' {
			hold = loose
		}
		return w.held(x.X, hold) + " " + string(x.Op) + " " + w.held(x.Y, hold+1), hold
	case Max:
		return "greatest(" + w.exprs(x) + ")", closed
	case Min:
		return "least(" + w.exprs(x) + ")", closed
	case If:
		return fmt.Sprintf("CASE WHEN %s < %s THEN %s ELSE %s END", w.expr(x.Less), w.expr(x.Than), w.expr(x.Then), w.expr(x.Else)), closed
	}
	panic("pushdown: an expression of another package")
}

// held writes an operand, in parentheses if needed.
func (w *sqlWriter) held(x Expr, least int) string {
	text, hold := w.write(x)
	if hold < least {
		return "(" + text + ")"
	}
	return text
}

func (w *sqlWriter) exprs(of []Expr) string {
	texts := make([]string, len(of))
	for i, x := range of {
		texts[i] = w.expr(x)
	}
	return strings.Join(texts, ", ")
}

func (w *sqlWriter) value(i int) string { return w.Score.Values[i].Name }

func (w *sqlWriter) maximum(gate int) string {
	return fmt.Sprintf("(SELECT m%d FROM %s)", gate, w.maxima[gate])
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
