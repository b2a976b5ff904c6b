package logic

import (
	"encoding/json"
	"fmt"
	"math"
)

// Options are the free choices of the calculus. The zero value is the paper's:
// c = 1, gates by the maximum of the pool, all noise floors on, cosines
// floored at zero.
type Options struct {
	Similarity Similarity
	And        Coefficient // how much of the delta AND adds
	Not        Coefficient // how much of the delta NOT takes away
	Gate       Gate
	NoFloor    Floors // noise floors that are switched off
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
	if o.Gate.Kind == ByBound && !(o.Gate.Bound > 0 && o.Gate.Bound <= 1) {
		return fmt.Errorf("the gate's corpus bound is %v: it must be above 0 and at most 1", o.Gate.Bound)
	}
	return nil
}

// MaxCoefficient is the largest coefficient that is accepted.
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

// UnmarshalJSON reads a number.
func (c *Coefficient) UnmarshalJSON(data []byte) error {
	c.set = true
	return json.Unmarshal(data, &c.value)
}

// Gate says how NOT is smoothed (section 6.2): the penalty for a document is
// scaled by S_B / (Ŝ_B + ε).
type Gate struct {
	Kind  GateKind
	Bound float64 // Ŝ_B for ByBound, above 0 and at most 1
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
