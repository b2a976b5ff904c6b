package logic

import (
	"encoding/json"
	"fmt"
	"math"
)

// Options are the free choices of the calculus. The zero value is the paper's:
// c = 1, gates by the maximum of the pool, all noise floors on, cosines
// floored at zero. It can be compared with ==, and its JSON is {}.
type Options struct {
	Similarity Similarity  `json:"similarity,omitzero"`
	And        Coefficient `json:"c_and,omitzero"` // how much of the delta AND adds
	Not        Coefficient `json:"c_not,omitzero"` // how much of the delta NOT takes away
	Gate       Gate        `json:"gate,omitzero"`
	NoFloor    Floors      `json:"no_floor,omitzero"` // noise floors that are switched off
	Scaling    Scaling     `json:"scaling,omitzero"`
	// Operator is what the operators are made of. Product has no deltas: of the
	// options it heeds Similarity and Gate.Cap alone.
	Operator Operator `json:"operator,omitzero"`
}

// Check reports a choice that has no meaning.
func (o Options) Check() error {
	for _, c := range []struct {
		name string
		c    Coefficient
	}{{"AND", o.And}, {"NOT", o.Not}} {
		if v := c.c.Value(); !(v >= 0 && v <= MaxCoefficient) {
			return fmt.Errorf("the coefficient of %s is %v: it must be between 0 and %d", c.name, v, MaxCoefficient)
		}
	}
	switch g := o.Gate; {
	case g.Kind == ByBound && !(g.Bound > 0 && g.Bound <= 1):
		return fmt.Errorf("the gate's corpus bound is %v: it must be above 0 and at most 1", g.Bound)
	case g.Power != 0 && !(g.Power > 0 && g.Power <= MaxCoefficient):
		return fmt.Errorf("the gate's power is %v: it must be above 0 and at most %d", g.Power, MaxCoefficient)
	case g.Cap != 0 && !(g.Cap > 0 && g.Cap <= 1):
		return fmt.Errorf("the gate's cap is %v: it must be above 0 and at most 1", g.Cap)
	}
	return o.named()
}

// MaxCoefficient is the largest coefficient that is accepted, and the largest
// power of a gate.
const MaxCoefficient = 100

// Coefficient is the factor c before a delta. Its zero value stands for 1, the
// paper's choice; C makes any other, 0 among them.
type Coefficient struct {
	value float64
	set   bool
}

// C is the coefficient of value c.
func C(c float64) Coefficient { return Coefficient{c, true} }

// Value is the number itself.
func (c Coefficient) Value() float64 {
	if !c.set {
		return 1
	}
	return c.value
}

// MarshalJSON writes the coefficient as a number.
func (c Coefficient) MarshalJSON() ([]byte, error) { return json.Marshal(c.Value()) }

// UnmarshalJSON reads a number; null leaves the coefficient as it is.
func (c *Coefficient) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	c.set = true
	return json.Unmarshal(data, &c.value)
}

// Gate says how NOT is smoothed (section 6.2): the penalty for a document is
// scaled by g = S_B / (Ŝ_B + ε). Power and Cap are ours.
type Gate struct {
	Kind  GateKind `json:"kind,omitzero"`
	Bound float64  `json:"bound,omitzero"` // Ŝ_B for ByBound, above 0 and at most 1
	// Power makes g^power of the gate; 0 stands for 1. Above 1 it spares
	// documents that resemble B a little.
	Power float64 `json:"power,omitzero"`
	// Cap is the largest share of a penalty that is taken, in (0, 1]; 0 is no
	// cap. It holds without a gate too. A departure is not gated, and so not
	// capped.
	Cap float64 `json:"cap,omitzero"`
}

// Of is the gate for a similarity to what is negated, where top is the largest
// one; see NewGate.
func (g Gate) Of(similarity, top float64) float64 {
	v := 1.0
	if g.Kind != Ungated {
		v = NewGate(similarity, top)
	}
	v, _ = g.shape(v)
	return v
}

// shaped reports whether shape does anything.
func (g Gate) shaped() bool { return g.Power != 0 || g.Cap != 0 }

// shape applies the power and the cap. With a power its last bits are those of
// the machine's exponential.
func (g Gate) shape(v float64) (shaped float64, capped bool) {
	if g.Power != 0 {
		v = math.Pow(v, g.Power)
	}
	if g.Cap != 0 && v > g.Cap {
		return g.Cap, true
	}
	return v, false
}

// GateKind says where Ŝ_B comes from.
type GateKind uint8

const (
	ByPool  GateKind = iota // the largest S_B among the documents that are scored
	ByBound                 // a bound for the whole corpus
	Ungated                 // no gate: the plain, unsmoothed NOT
)

// epsilon keeps a gate defined when nothing in the pool resembles B.
const epsilon = 1e-9

// Floors is a set of noise floors.
type Floors uint8

const (
	AndFloor Floors = 1 << iota // reinforcement: F above the sum of the atoms
	NotFloor                    // departure: F below both A and B
	OrFloor                     // departure: F below every atom

	AllFloors = AndFloor | NotFloor | OrFloor
)

// Scaling says what the similarities in a conjunction are measured by.
type Scaling uint8

const (
	Unscaled Scaling = iota // nothing: they are compared as they are
	// ByTop divides each by its top, the mean of its ten largest values among
	// the documents that are scored, so that atoms that the encoder places at
	// different heights can be compared. The result is multiplied by the
	// fusion's own top: scores stay on the scale of similarities.
	//
	// It holds for the parts and the fusion of AND, and for the delta of a
	// negation beside two or more positive parts. Disjunctions and A ∧ ¬B stay
	// as they are.
	ByTop
)

// Operator says what the operators are made of.
type Operator uint8

const (
	Deltas  Operator = iota // fusions and deltas: the paper's calculus
	Product                 // memberships by the spread of similarities, multiplied
)

// Similarity says how a cosine becomes the S of the paper.
type Similarity uint8

const (
	Clamp  Similarity = iota // max(0, cos): the paper's own examples are raw cosines in [0, 1]
	Affine                   // (1 + cos) / 2
	Raw                      // cos itself, negative values included
)

// Of maps one cosine.
func (s Similarity) Of(cosine float64) float64 {
	switch s {
	case Clamp:
		return math.Max(0, cosine)
	case Affine:
		return (1 + cosine) / 2
	}
	return cosine
}
