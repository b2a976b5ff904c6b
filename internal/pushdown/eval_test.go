package pushdown

import "slices"

// Eval returns the score of a document, given its cosines to the terms and the maxima of the
// gates.
func (s *Score) Eval(cosines, maxima []float64) float64 {
	return s.values(cosines, maxima)[s.Root]
}

// Maxima returns the maxima of the gates over documents, given by their cosines to the terms.
func (s *Score) Maxima(documents [][]float64) []float64 {
	maxima := make([]float64, len(s.Gates))
	for i, g := range s.Gates { // a gate depends only on those before it
		for _, cosines := range documents {
			maxima[i] = max(maxima[i], s.values(cosines, maxima)[g.Value])
		}
	}
	return maxima
}

func (s *Score) values(cosines, maxima []float64) []float64 {
	e := env{cosines, maxima, make([]float64, 0, len(s.Values))}
	for _, v := range s.Values {
		e.values = append(e.values, e.eval(v.Expr))
	}
	return e.values
}

// env holds the inputs for one document.
type env struct{ cosines, maxima, values []float64 }

func (e *env) eval(x Expr) float64 {
	switch x := x.(type) {
	case Number:
		return float64(x)
	case Cosine:
		return e.cosines[x]
	case Ref:
		return e.values[x]
	case Maximum:
		return e.maxima[x]
	case Binary:
		a, b := e.eval(x.X), e.eval(x.Y)
		switch x.Op {
		case '+':
			return a + b
		case '-':
			return a - b
		case '*':
			return a * b
		}
		return a / b
	case Max:
		return slices.Max(e.all(x))
	case Min:
		return slices.Min(e.all(x))
	case If:
		if e.eval(x.Less) < e.eval(x.Than) {
			return e.eval(x.Then)
		}
		return e.eval(x.Else)
	}
	panic("pushdown: an expression of another package")
}

func (e *env) all(of []Expr) []float64 {
	out := make([]float64, len(of))
	for i, x := range of {
		out[i] = e.eval(x)
	}
	return out
}
