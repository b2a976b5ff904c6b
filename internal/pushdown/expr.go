package pushdown

// Expr is an expression over the similarities of one document: one of the types below.
type Expr interface{ sealed() }

type (
	// Number is a constant.
	Number float64
	// Cosine is the cosine of the document and the term with this index.
	Cosine int
	// Ref is an earlier value of the Score, by its index.
	Ref int
	// Maximum is the largest score of a negated formula among the ranked documents, at least 0,
	// by the index of the gate.
	Maximum int
	// Binary is X Op Y, where Op is one of + - * /. A divisor is never 0.
	Binary struct {
		Op   byte
		X, Y Expr
	}
	// Max is the largest of two or more.
	Max []Expr
	// Min is the least of two or more.
	Min []Expr
	// If is Then if Less < Than, and Else otherwise.
	If struct{ Less, Than, Then, Else Expr }
)

func (Number) sealed()  {}
func (Cosine) sealed()  {}
func (Ref) sealed()     {}
func (Maximum) sealed() {}
func (Binary) sealed()  {}
func (Max) sealed()     {}
func (Min) sealed()     {}
func (If) sealed()      {}

func plus(x, y Expr) Expr  { return Binary{'+', x, y} }
func minus(x, y Expr) Expr { return Binary{'-', x, y} }

// times returns c·x, without the factor if it is 1.
func times(c float64, x Expr) Expr {
	if c == 1 {
		return x
	}
	if n, ok := x.(Number); ok {
		return Number(c * float64(n))
	}
	return Binary{'*', Number(c), x}
}

func greatest(of []Expr) Expr {
	if len(of) == 1 {
		return of[0]
	}
	return Max(of)
}

func least(of []Expr) Expr {
	if len(of) == 1 {
		return of[0]
	}
	return Min(of)
}

func operands(x Expr) []Expr {
	switch x := x.(type) {
	case Binary:
		return []Expr{x.X, x.Y}
	case Max:
		return x
	case Min:
		return x
	case If:
		return []Expr{x.Less, x.Than, x.Then, x.Else}
	}
	return nil
}

// refs returns the values that an expression reads.
func refs(x Expr) (out []int) {
	if r, ok := x.(Ref); ok {
		return []int{int(r)}
	}
	for _, y := range operands(x) {
		out = append(out, refs(y)...)
	}
	return out
}

// reads returns the values that a value depends on, itself last, in the order of computation.
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
