package query

import (
	"slices"
	"strings"
)

// Span is a half-open range of byte offsets in the text that was parsed.
type Span struct{ Start, End int }

// Node is a formula. It is one of *Atom, *Predicate, *Not, *And, *Or and
// *AtLeast; no other package can add to them.
type Node interface {
	// Span returns the position of the node in the parsed text. Nodes that were derived
	// rather than parsed have the span of their origin.
	Span() Span
	// String prints the node in the query language; parsing it yields an equal tree.
	String() string

	sealed()
}

// Kind is the source of an atom's vector.
type Kind uint8

const (
	Text    Kind = iota // the atom's words, encoded
	Like                // like:ID, the vector of a stored document
	Example             // example:"text", the vector that a document with this text would have
	Image               // image:PATH, the vector of a picture
)

// Atom is a single concept, L_A in the paper.
type Atom struct {
	Kind   Kind
	Text   string  // the words, document id, text or path of the picture
	Weight float64 // importance; 0 stands for the default, 1

	Pos Span
}

// prefixes are the prefixes of the kinds of atoms.
var prefixes = [...]string{Like: "like", Example: "example", Image: "image"}

// Importance returns the atom's weight, with the default filled in.
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
	Match // the field's text matches a Pattern
	Glob  // the whole value matches, where * stands for any characters
)

var comparisonText = [...]string{Equal: "=", Less: "<", LessEqual: "<=", Greater: ">", GreaterEqual: ">=", Match: "~", Glob: "LIKE"}

// String returns the sign of the relation, which for Glob is the operator of SQL.
func (c Comparison) String() string { return comparisonText[c] }

// Predicate is a hard condition on a document's metadata or text. It is either true or false, and
// never takes part in the fuzzy calculus.
type Predicate struct {
	Field string
	Op    Comparison
	Value string // as written; the store compares numbers numerically; or the text of a Pattern

	pattern *Pattern // of Value, if it was parsed

	Pos Span
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`, "*", "%")

// ForSQL returns the predicate with the value that SQL's operator takes.
func (n *Predicate) ForSQL() *Predicate {
	if n.Op != Glob {
		return n
	}
	return &Predicate{Field: n.Field, Op: Glob, Value: likeEscapes.Replace(n.Value)}
}

// Not negates X.
type Not struct {
	X Node

	Pos Span
}

// And is true if all of its parts are. It has at least two parts.
type And struct {
	Parts []Node

	Pos Span
}

// Or is true if any of its parts is. It has at least two parts.
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

// Same reports whether two trees are equal, ignoring spans.
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
