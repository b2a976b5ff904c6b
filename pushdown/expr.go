package pushdown

// Expr is an expression over what is known of one document. It is one of the types below;
// no other package can add to them.
type Expr interface{ sealed() }

type (
	// Number is a constant.
	Number float64
	// Cosine is that of the document and the vector of a term, by the term's index.
	Cosine int
	// Ref is a value of the Score that stands before, by its index.
	Ref int
	// Maximum is the largest that a negated formula's score is among the documents that are
	// ranked, and 0 at least, by the index of the gate.
	Maximum int
	// Sum is X + Y.
	Sum struct{ X, Y Expr }
	// Difference is X − Y.
	Difference struct{ X, Y Expr }
	// Product is X · Y.
	Product struct{ X, Y Expr }
	// Quotient is X / Y. Y is never 0.
	Quotient struct{ X, Y Expr }
	// Max is the largest of two or more.
	Max []Expr
	// Min is the least of two or more.
	Min []Expr
	// If is Then where Less is less than Than, and Else where it is not.
	If struct{ Less, Than, Then, Else Expr }
)

func (Number) sealed()     {}
func (Cosine) sealed()     {}
func (Ref) sealed()        {}
func (Maximum) sealed()    {}
func (Sum) sealed()        {}
func (Difference) sealed() {}
func (Product) sealed()    {}
func (Quotient) sealed()   {}
func (Max) sealed()        {}
func (Min) sealed()        {}
func (If) sealed()         {}

// times is c·x, without the factor where that is 1.
func times(c float64, x Expr) Expr {
	if c == 1 {
		return x
	}
	if n, ok := x.(Number); ok {
		return Number(c * float64(n))
	}
	return Product{Number(c), x}
}

// greatest is the largest of some, which may be one.
func greatest(of []Expr) Expr {
	if len(of) == 1 {
		return of[0]
	}
	return Max(of)
}

// least is the least of some, which may be one.
func least(of []Expr) Expr {
	if len(of) == 1 {
		return of[0]
	}
	return Min(of)
}

// refs are the values that an expression reads.
func refs(x Expr) (out []int) {
	several := func(of ...Expr) {
		for _, x := range of {
			out = append(out, refs(x)...)
		}
	}
	switch x := x.(type) {
	case Ref:
		return []int{int(x)}
	case Sum:
		several(x.X, x.Y)
	case Difference:
		several(x.X, x.Y)
	case Product:
		several(x.X, x.Y)
	case Quotient:
		several(x.X, x.Y)
	case Max:
		several(x...)
	case Min:
		several(x...)
	case If:
		several(x.Less, x.Than, x.Then, x.Else)
	}
	return out
}

// reads are the values that a value reads, itself last, in the order in which they can be
// computed.
func (s *Score) reads(value int) (out []int) {
	needed := map[int]bool{value: true}
	for i := value; i >= 0; i-- {
		if needed[i] {
			for _, r := range refs(s.Values[i].Expr) {
				needed[r] = true
			}
		}
	}
	for i := range value + 1 {
		if needed[i] {
			out = append(out, i)
		}
	}
	return out
}
