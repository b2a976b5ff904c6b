package pushdown

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Score is a formula's score as expressions.
type Score struct {
	Formula *query.Formula
	Terms   []int // terms whose cosines are read, in ascending order
	Values  []Value
	Gates   []Gate // whose maxima are read; none if a bound for the corpus replaces them
	Root    int    // the value that is the score
}

// Value is a named step of a score. It reads cosines, maxima and values before it.
type Value struct {
	Name string // s and a number: a similarity; v and a number: an operator
	Of   query.Node
	Expr Expr
	// Needs is the number of gates whose maxima must be known to compute the value.
	Needs int
}

// Gate is a negated formula whose largest score is needed: Ŝ_B of the paper.
type Gate struct {
	Value int
	Of    query.Node
}

// epsilon is added to the divisor of a gate (equation 10 of the paper).
const epsilon = 1e-9

// New returns the score of a program without lexical scores, which other systems cannot compute.
func New(p *logic.Program) (*Score, error) {
	if p.Options().Words > 0 {
		return nil, errors.New("lexical scores cannot be computed by other systems; compile the formula without words")
	}
	b := builder{Score: &Score{Formula: p.Formula()}, options: p.Options(), at: map[int]int{}}
	steps, root, gated := p.Steps()
	needed := needed(steps, root)
	for i := range b.Formula.Terms.Len() {
		if needed[i] {
			b.Terms = append(b.Terms, i)
			b.add(i, b.Formula.Terms.At(i), b.similarity(i), 's')
		}
	}
	for _, s := range steps {
		if s.Operator == logic.AtLeastStep && needed[s.Register] {
			return nil, fmt.Errorf("%s has too many combinations for other systems; give it fewer parts", s.Formula)
		}
		if needed[s.Register] {
			b.add(s.Register, s.Formula, b.step(&s), 'v')
		}
	}
	b.Root = b.at[root]
	if b.options.Gate.Kind != logic.ByBound {
		for _, register := range gated {
			i := b.at[register]
			b.Gates = append(b.Gates, Gate{i, b.Values[i].Of})
		}
	}
	return b.Score, nil
}

// needed returns the registers that a score depends on; a program may have others.
func needed(steps []logic.Step, root int) map[int]bool {
	out := map[int]bool{root: true}
	for _, s := range slices.Backward(steps) {
		if !out[s.Register] {
			continue
		}
		for _, r := range append(s.Parts[:len(s.Parts):len(s.Parts)], s.Fused) {
			out[r] = true
		}
		for _, neg := range s.Negated {
			out[neg.With] = true
			if s.Floored || neg.Gate >= 0 {
				out[neg.Self] = true
			}
		}
	}
	return out
}

// builder translates a program, register by register.
type builder struct {
	*Score
	options logic.Options
	at      map[int]int // the values of registers
	needs   int         // Needs of the current step
}

func (b *builder) add(register int, of query.Node, e Expr, letter rune) {
	b.at[register] = len(b.Values)
	b.Values = append(b.Values, Value{Name: fmt.Sprintf("%c%d", letter, register), Of: of, Expr: e, Needs: b.needs})
	b.needs = 0
}

func (b *builder) ref(register int) Expr {
	i := b.at[register]
	b.needs = max(b.needs, b.Values[i].Needs)
	return Ref(i)
}

func (b *builder) refs(registers []int) []Expr {
	out := make([]Expr, len(registers))
	for i, r := range registers {
		out[i] = b.ref(r)
	}
	return out
}

func (b *builder) similarity(term int) Expr {
	switch b.options.Similarity {
	case logic.Clamp:
		return Max{Number(0), Cosine(term)}
	case logic.Affine:
		return Binary{'/', plus(Number(1), Cosine(term)), Number(2)}
	}
	return Cosine(term)
}

func (b *builder) step(s *logic.Step) Expr {
	switch s.Operator {
	case logic.AndStep:
		return b.and(s)
	case logic.NotStep:
		return b.not(s)
	case logic.OrStep:
		return b.or(s)
	}
	return b.against(s)
}

// and translates logic.And, with the terms for unequal weights.
func (b *builder) and(s *logic.Step) Expr {
	parts, fused := b.refs(s.Parts), b.ref(s.Fused)
	out := plus(fused, times(b.options.And.Value(), minus(fused, greatest(parts))))
	if s.Floored {
		sum := parts[0]
		for _, p := range parts[1:] {
			sum = plus(sum, p)
		}
		out = If{Less: sum, Than: fused, Then: fused, Else: out}
	}
	for k, w := range s.Weights {
		if w < 0 {
			out = minus(out, times(-w, parts[k]))
		} else {
			out = plus(out, times(w, parts[k]))
		}
	}
	return out
}

func (b *builder) not(s *logic.Step) Expr {
	out, base := b.ref(s.Parts[0]), b.ref(s.Fused)
	for _, neg := range s.Negated {
		with := b.ref(neg.With)
		penalty := times(neg.Strength, product(b.gate(neg), minus(with, base)))
		departs := func(then, otherwise Expr) Expr {
			return If{Less: with, Than: Min{base, b.ref(neg.Self)}, Then: then, Else: otherwise}
		}
		switch {
		case !s.Floored:
			out = minus(out, penalty)
		case s.Replaces:
			out = departs(with, minus(out, penalty))
		default:
			out = minus(out, departs(minus(base, with), penalty))
		}
	}
	return out
}

// gate returns the gate of a negated part, with its cap.
func (b *builder) gate(neg logic.Negation) Expr {
	limit := b.options.GateCap
	if neg.Gate < 0 {
		if limit != 0 {
			return Number(limit)
		}
		return Number(1)
	}
	var out Expr = Binary{'/', b.positive(neg.Self), b.maximum(neg.Gate)}
	if limit != 0 {
		out = Min{Number(limit), out}
	}
	return out
}

func (b *builder) positive(register int) Expr {
	if b.options.Similarity == logic.Clamp && register < b.Formula.Terms.Len() {
		return b.ref(register)
	}
	return Max{Number(0), b.ref(register)}
}

func (b *builder) maximum(gate int) Expr {
	if b.options.Gate.Kind == logic.ByBound {
		return Number(b.options.Gate.Bound + epsilon)
	}
	b.needs = max(b.needs, gate+1)
	return plus(Maximum(gate), Number(epsilon))
}

func (b *builder) or(s *logic.Step) Expr {
	parts := b.refs(s.Parts)
	tops := make([]Expr, len(parts))
	for k, p := range parts {
		if tops[k] = p; s.Weights != nil && s.Weights[k] != 1 {
			tops[k] = Min{p, times(s.Weights[k], p)} // negative scores are not discounted
		}
	}
	if s.Fused < 0 {
		return greatest(tops)
	}
	fused := b.ref(s.Fused)
	out := greatest(append(tops, fused))
	if s.Floored {
		out = If{Less: fused, Than: least(parts), Then: fused, Else: out}
	}
	return out
}

// against returns 1 minus the largest gate of the excluded parts.
func (b *builder) against(s *logic.Step) Expr {
	out := make([]Expr, len(s.Negated))
	for j, neg := range s.Negated {
		out[j] = minus(Number(1), times(neg.Strength, b.gate(neg)))
	}
	return least(out)
}

// product returns x·y, without a factor that is 1.
func product(x, y Expr) Expr {
	if n, ok := x.(Number); ok {
		return times(float64(n), y)
	}
	return Binary{'*', x, y}
}
