package query

import "slices"

// Span is a half-open range of byte offsets in the text that was parsed.
type Span struct{ Start, End int }

// Node is a formula. It is one of *Atom, *Predicate, *Not, *And, *Or and
// *AtLeast; no other package can add to them.
type Node interface {
	// Span says where in the parsed text the node stands. Nodes that were
	// built rather than parsed carry the span of what they were built from.
	Span() Span
	// String prints the node in the language; parsing it gives an equal tree.
	String() string

	sealed()
}

// Kind says where the vector of an atom comes from.
type Kind uint8

const (
	Text    Kind = iota // the atom's words are encoded
	Like                // like:ID, the vector of a stored document
	Example             // example:"text", the vector that a document of this text would have
	Image               // image:PATH, the vector of a picture
)

// Atom is a single concept: what the paper writes L_A.
type Atom struct {
	Kind   Kind
	Text   string  // the words, the document's id, the text or the picture's path
	Weight float64 // importance; 0 stands for the default, 1

	Pos Span
}

// prefixes are what kinds of atoms begin with.
var prefixes = [...]string{Like: "like", Example: "example", Image: "image"}

// Importance is the atom's weight with the default filled in.
func (a *Atom) Importance() float64 {
	if a.Weight == 0 {
		return 1
	}
	return a.Weight
}

// Comparison is the relation of a predicate.
type Comparison uint8

const (
	Equal Comparison = iota
	Less
	LessEqual
	Greater
	GreaterEqual
)

var comparisonText = [...]string{Equal: "=", Less: "<", LessEqual: "<=", Greater: ">", GreaterEqual: ">="}

// String is the sign of the relation.
func (c Comparison) String() string { return comparisonText[c] }

// Predicate is a hard condition on a document's metadata. It holds or it does
// not; it never takes part in the fuzzy calculus.
type Predicate struct {
	Field string
	Op    Comparison
	Value string // as written; the store compares numbers as numbers

	Pos Span
}

// Not negates X.
type Not struct {
	X Node

	Pos Span
}

// And holds where all of its parts hold. It has at least two parts.
type And struct {
	Parts []Node

	Pos Span
}

// Or holds where any of its parts holds. It has at least two parts.
type Or struct {
	Parts []Node

	Pos Span
}

func (n *Atom) Span() Span      { return n.Pos }
func (n *Predicate) Span() Span { return n.Pos }
func (n *Not) Span() Span       { return n.Pos }
func (n *And) Span() Span       { return n.Pos }
func (n *Or) Span() Span        { return n.Pos }

func (*Atom) sealed()      {}
func (*Predicate) sealed() {}
func (*Not) sealed()       {}
func (*And) sealed()       {}
func (*Or) sealed()        {}

// Same reports whether two trees are equal, spans aside.
func Same(a, b Node) bool {
	switch a := a.(type) {
	case *Atom:
		b, ok := b.(*Atom)
		return ok && a.Kind == b.Kind && a.Text == b.Text && a.Importance() == b.Importance()
	case *Predicate:
		b, ok := b.(*Predicate)
		return ok && a.Field == b.Field && a.Op == b.Op && a.Value == b.Value
	case *Not:
		b, ok := b.(*Not)
		return ok && Same(a.X, b.X)
	case *And:
		b, ok := b.(*And)
		return ok && slices.EqualFunc(a.Parts, b.Parts, Same)
	case *Or:
		b, ok := b.(*Or)
		return ok && slices.EqualFunc(a.Parts, b.Parts, Same)
	case *AtLeast:
		b, ok := b.(*AtLeast)
		return ok && a.K == b.K && slices.EqualFunc(a.Parts, b.Parts, Same)
	}
	return a == nil && b == nil
}
