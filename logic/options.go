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
	case g.Cap != 0 && !(g.Cap > 0 && g.Cap <= 1):
		return fmt.Errorf("the gate's cap is %v: it must be above 0 and at most 1", g.Cap)
	}
	return o.named()
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

// UnmarshalJSON reads a number; null leaves the coefficient as it is.
func (c *Coefficient) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	c.set = true
	return json.Unmarshal(data, &c.value)
}

// Gate says how NOT is smoothed (section 6.2): the penalty for a document is
// scaled by g = S_B / (Ŝ_B + ε). Cap is ours.
type Gate struct {
	Kind  GateKind `json:"kind,omitzero"`
	Bound float64  `json:"bound,omitzero"` // Ŝ_B for ByBound, above 0 and at most 1
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
	v, _ = g.capped(v)
	return v
}

// capped applies the cap, and reports whether it set the value.
func (g Gate) capped(v float64) (float64, bool) {
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
