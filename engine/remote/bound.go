package remote

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// Bound is a condition in an engine's own terms. Every document that passes a filter meets it.
// The zero value is the bound of a filter that the engine cannot decide: every document meets it.
type Bound[E any] struct {
	Expr    E
	Narrows bool // some documents do not meet Expr; otherwise it is not used
	Nothing bool // no document meets it
	Exact   bool // no other document meets it
}

// Exactly returns the bound of a condition that decides a filter.
func Exactly[E any](expr E) Bound[E] { return Bound[E]{Expr: expr, Narrows: true, Exact: true} }

// AtMost returns the bound of a condition that narrows a filter down.
func AtMost[E any](expr E) Bound[E] { return Bound[E]{Expr: expr, Narrows: true} }

// Nothing returns the bound that no document meets.
func Nothing[E any]() Bound[E] { return Bound[E]{Nothing: true, Exact: true} }

// Everything returns the bound of a filter that every document passes.
func Everything[E any]() Bound[E] { return Bound[E]{Exact: true} }

// Where returns the bound for a driver.
func (b Bound[E]) Where() Where {
	w := Where{Inexact: !b.Exact, Nothing: b.Nothing}
	if b.Narrows && !b.Nothing {
		w.Native = b.Expr
	}
	return w
}

// Compiler compiles filters to bounds. It carries negations down to the predicates.
type Compiler[E any] struct {
	Predicate func(p *query.Predicate) Bound[E]
	// Not negates a condition. An engine that has no exact conditions compiles the negations of
	// predicates instead, by NotPredicate.
	Not          func(E) E
	NotPredicate func(p *query.Predicate) Bound[E]
	// And and Or join conditions. They report false if the engine does not accept a condition
	// of this size; every document then meets the result.
	And, Or func(parts []E) (joined E, ok bool)
}

// Compile returns the bound of a filter, which may be nil.
func (c *Compiler[E]) Compile(filter query.Node) Bound[E] {
	if filter == nil {
		return Everything[E]()
	}
	return c.node(filter, false)
}

func (c *Compiler[E]) node(filter query.Node, negated bool) Bound[E] {
	switch n := filter.(type) {
	case *query.Predicate:
		switch {
		case n.OnText():
			return Bound[E]{} // the text of a document is read to decide it
		case n.Op == query.Glob && negated:
			return Bound[E]{}
		case n.Op == query.Glob:
			return c.glob(n)
		case !negated:
			return c.Predicate(n)
		case c.NotPredicate != nil:
			return c.NotPredicate(n)
		}
		return c.not(c.Predicate(n))
	case *query.Not:
		return c.node(n.X, !negated)
	case *query.And:
		return c.join(n.Parts, negated, !negated)
	case *query.Or:
		return c.join(n.Parts, negated, negated)
	}
	return Bound[E]{}
}

// glob narrows a glob down to the values from its beginning to the next string that begins
// otherwise. A beginning that is a number would compare as one.
func (c *Compiler[E]) glob(p *query.Predicate) Bound[E] {
	begin, _, _ := strings.Cut(p.Value, "*")
	r, size := utf8.DecodeLastRuneInString(begin)
	_, isNumber := predicate.ParseNumber(begin)
	if isNumber || !utf8.ValidRune(r+1) || r == utf8.RuneError {
		return Bound[E]{}
	}
	b := c.join([]query.Node{
		&query.Predicate{Field: p.Field, Op: query.GreaterEqual, Value: begin},
		&query.Predicate{Field: p.Field, Op: query.Less, Value: begin[:len(begin)-size] + string(r+1)},
	}, false, true)
	b.Exact = b.Nothing
	return b
}

func (c *Compiler[E]) not(b Bound[E]) Bound[E] {
	switch {
	case !b.Exact: // documents that do not pass may meet the condition
		return Bound[E]{}
	case b.Nothing:
		return Everything[E]()
	case !b.Narrows:
		return Nothing[E]()
	}
	return Exactly(c.Not(b.Expr))
}

// Truths reports whether false and true satisfy a predicate.
func Truths(p *query.Predicate) (no, yes bool) {
	return predicate.Passes(p, []predicate.Value{{Field: p.Field, Text: "false"}}), predicate.Passes(p, []predicate.Value{{Field: p.Field, Text: "true"}})
}

// Integral returns the comparison with an integer that integers satisfy if they compare so
// with x. It is not ok if none does.
func Integral(op query.Comparison, x float64) (_ query.Comparison, n int64, ok bool) {
	below := math.Floor(x)
	if below < x {
		switch op {
		case query.Equal:
			return op, 0, false
		case query.Less:
			op = query.LessEqual
		case query.GreaterEqual:
			op = query.Greater
		}
	}
	return op, int64(below), true
}

// MaxExact is the limit up to which float64 represents all integers.
const MaxExact = 1 << 53

func (c *Compiler[E]) join(parts []query.Node, negated, all bool) Bound[E] {
	out := Bound[E]{Exact: true}
	var exprs []E
	for _, p := range parts {
		b := c.node(p, negated)
		switch {
		case all && b.Nothing:
			return b
		case !all && b.Nothing:
			continue
		case !all && !b.Narrows: // every document meets this part
			return Bound[E]{Exact: b.Exact}
		}
		if out.Exact = out.Exact && b.Exact; b.Narrows {
			exprs = append(exprs, b.Expr)
		}
	}
	if len(exprs) == 0 {
		out.Nothing = !all
		return out
	}
	join := c.Or
	if all {
		join = c.And
	}
	out.Expr, out.Narrows = exprs[0], true
	if len(exprs) > 1 {
		var ok bool
		if out.Expr, ok = join(exprs); !ok {
			return Bound[E]{}
		}
	}
	return out
}
