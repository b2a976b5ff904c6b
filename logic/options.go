package logic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Options are the free parameters of the calculus. The zero value follows the paper: c
// = 1, gates by the maximum of the pool, all noise floors on, cosines clamped at zero.
// Options are comparable with ==, and the zero value is {} in JSON.
type Options struct {
	Similarity Similarity  `json:"similarity,omitzero"`
	And        Coefficient `json:"c_and,omitzero"` // fraction of the delta that AND adds
	Not        Coefficient `json:"c_not,omitzero"` // fraction of the delta that NOT subtracts
	Gate       Gate        `json:"gate,omitzero"`
	// GateCap limits the fraction of a penalty that NOT subtracts, in (0, 1]; 0 means no
	// cap. It applies without a gate too. A departure is not gated and therefore not
	// capped. It goes beyond the paper.
	GateCap float64 `json:"gate_cap,omitzero"`
	NoFloor Floors  `json:"no_floors,omitzero"` // noise floors to switch off
	// Words is the weight of the lexical score; 0 means that the program reads no columns
	// of words. It goes beyond the paper, and is an option of the search rather than of
	// the calculus.
	Words float64 `json:"-"`
}

// Check returns an error for an invalid option.
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
	case o.GateCap != 0 && !(o.GateCap > 0 && o.GateCap <= 1):
		return fmt.Errorf("the gate's cap is %v: it must be above 0 and at most 1", o.GateCap)
	case !(o.Words >= 0 && o.Words <= MaxCoefficient):
		return fmt.Errorf("the weight of words is %v: it must be between 0 and %d", o.Words, MaxCoefficient)
	case int(o.Similarity) >= len(similarityNames):
		return fmt.Errorf("unknown similarity %d: it must be one of %s", o.Similarity, strings.Join(similarityNames, ", "))
	case g.Kind > Ungated:
		return fmt.Errorf("unknown kind of gate %d", g.Kind)
	case o.NoFloor&^AllFloors != 0:
		return fmt.Errorf("the set of noise floors is %d: the largest is %d", o.NoFloor, AllFloors)
	}
	return nil
}

// MaxCoefficient is the largest coefficient accepted.
const MaxCoefficient = 100

// Coefficient is the factor c of a delta. Its zero value stands for 1, the paper's
// choice; C returns any other, including 0.
type Coefficient struct {
	value float64
	set   bool
}

// C returns the coefficient with value c.
func C(c float64) Coefficient { return Coefficient{c, true} }

// Value returns the number.
func (c Coefficient) Value() float64 {
	if !c.set {
		return 1
	}
	return c.value
}

// MarshalJSON encodes the coefficient as a number.
func (c Coefficient) MarshalJSON() ([]byte, error) { return json.Marshal(c.Value()) }

// UnmarshalJSON decodes a number; null leaves the coefficient unchanged.
func (c *Coefficient) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	c.set = true
	return json.Unmarshal(data, &c.value)
}

// Gate selects how NOT is smoothed (section 6.2): the penalty for a document is scaled by
// g = S_B / (Ŝ_B + ε). In text and JSON it is pool, off or the bound.
type Gate struct {
	Kind  GateKind
	Bound float64 // Ŝ_B for ByBound, above 0 and at most 1
}

func (g Gate) String() string {
	switch g.Kind {
	case ByPool:
		return "pool"
	case Ungated:
		return "off"
	}
	return strconv.FormatFloat(g.Bound, 'g', -1, 64)
}

// UnmarshalText parses pool, off or a number.
func (g *Gate) UnmarshalText(text []byte) error {
	switch string(text) {
	case "pool":
		*g = Gate{}
	case "off":
		*g = Gate{Kind: Ungated}
	default:
		bound, err := strconv.ParseFloat(string(text), 64)
		if err != nil || !(bound > 0 && bound <= 1) {
			return fmt.Errorf("unknown gate %.20q: it is pool, off, or a bound above 0 and at most 1", text)
		}
		*g = Gate{ByBound, bound}
	}
	return nil
}

// MarshalJSON encodes a word or a number.
func (g Gate) MarshalJSON() ([]byte, error) {
	if g.Kind == ByBound {
		return json.Marshal(g.Bound)
	}
	return json.Marshal(g.String())
}

// UnmarshalJSON decodes a word or a number; null leaves the gate unchanged.
func (g *Gate) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	return g.UnmarshalText(bytes.Trim(data, `"`))
}

// capped applies the cap, and reports whether it set the value.
func (o *Options) capped(v float64) (float64, bool) {
	if o.GateCap != 0 && v > o.GateCap {
		return o.GateCap, true
	}
	return v, false
}

// GateKind is the source of Ŝ_B.
type GateKind uint8

const (
	ByPool  GateKind = iota // the largest S_B among the documents that are scored
	ByBound                 // a bound for the whole corpus
	Ungated                 // no gate: the plain, unsmoothed NOT
)

// epsilon keeps a gate defined if nothing in the pool resembles B.
const epsilon = 1e-9

// Floors is a set of noise floors.
type Floors uint8

const (
	AndFloor Floors = 1 << iota // reinforcement: F above the sum of the atoms
	NotFloor                    // departure: F below both A and B
	OrFloor                     // departure: F below every atom

	AllFloors = AndFloor | NotFloor | OrFloor
)

// Similarity selects how a cosine is mapped to the paper's S.
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
