package logic

import (
	"github.com/nsfl-go/nsfl/internal/enum"
)

// The operators as defined in the paper, for one document. The loops of a Program call
// the same unexported functions, so a score has one definition. Conversions to float64
// around products prevent fused multiply-add, so a score has the same bits on every
// machine.

// Score is the value of an operator and the noise floor that set it, if any.
type Score struct {
	Value float64
	Floor Floor
}

// Floor identifies the noise floor that fired.
type Floor uint8

const (
	NoFloor       Floor = iota
	Reinforcement       // AND: the fusion exceeds the sum of its atoms
	Departure           // NOT, OR: the fusion falls below every atom
)

var floorNames = []string{NoFloor: "none", Reinforcement: "reinforcement", Departure: "departure"}

func (f Floor) String() string { return enum.Of(floorNames, f) }

// MarshalText returns the name.
func (f Floor) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText parses a name.
func (f *Floor) UnmarshalText(text []byte) (err error) {
	*f, err = enum.Find[Floor]("noise floor", floorNames, string(text))
	return err
}

// And scores A ∧ B ∧ … from the similarity to the fusion and to the atoms
// (equations 8 and 16):
//
//	F                     if F > Σ a_k  (reinforcement)
//	F + c·(F − max a_k)   otherwise
func And(fused float64, atoms []float64, o Options) Score {
	if len(atoms) == 0 {
		return Score{Value: fused}
	}
	top, sum := atoms[0], atoms[0]
	for _, a := range atoms[1:] {
		if a > top {
			top = a
		}
		sum += a
	}
	v, floor := and(fused, top, sum, o.And.Value(), o.NoFloor&AndFloor == 0)
	return Score{v, floor}
}

func and(fused, top, sum, c float64, floored bool) (float64, Floor) {
	if floored && fused > sum {
		return fused, Reinforcement
	}
	return fused + float64(c*(fused-top)), NoFloor
}

// Not scores A ∧ ¬B from the similarities to A, to B and to the positive
// fusion of both (equations 9 to 12):
//
//	F                 if F < a and F < b  (departure)
//	a − c·g·(F − a)   otherwise
//
// The gate g is NewGate(b, …) for the zero Options, 1 for the unsmoothed operator.
func Not(a, b, fused, gate float64, o Options) Score {
	penalty, floor := not(a, b, fused, gate, o.Not.Value(), o.NoFloor&NotFloor == 0)
	if floor == Departure {
		return Score{fused, floor}
	}
	return Score{a - penalty, floor}
}

// not returns the penalty of a negated part: base is the similarity to the positive
// parts, fused the similarity to them together with the negated part. A departure
// subtracts everything that the fusion lost.
func not(base, negated, fused, gate, c float64, floored bool) (penalty float64, floor Floor) {
	if floored && fused < base && fused < negated {
		return base - fused, Departure
	}
	return float64(c * gate * (fused - base)), NoFloor
}

// NewGate returns the confidence S̃_B = S_B / (Ŝ_B + ε) of equation 10, where top is the
// largest S_B in the pool or a bound for the corpus. A negative similarity gives no
// confidence.
func NewGate(similarity, top float64) float64 {
	if similarity <= 0 || top <= 0 {
		return 0
	}
	return similarity / (top + epsilon)
}

// Or scores A ∨ B ∨ … from the similarities to the alternatives, to their
// fusion and to the monolithic query (equations 13 and 14):
//
//	min(F, M)         if F is below every alternative  (departure)
//	max(a_k, F, M)    otherwise
func Or(alternatives []float64, fused, monolithic float64, o Options) Score {
	if len(alternatives) == 0 {
		return Score{Value: max(fused, monolithic)}
	}
	top, low := alternatives[0], alternatives[0]
	for _, a := range alternatives[1:] {
		if a > top {
			top = a
		}
		if a < low {
			low = a
		}
	}
	v, floor := or(top, low, fused, monolithic, o.NoFloor&OrFloor == 0)
	return Score{v, floor}
}

func or(top, low, fused, monolithic float64, floored bool) (float64, Floor) {
	if floored && fused < low {
		return min(fused, monolithic), Departure
	}
	return max(top, fused, monolithic), NoFloor
}
