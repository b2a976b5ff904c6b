package logic

import (
	"slices"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Delta is the Neuro-Symbolic Delta Δ_{B|A} = S_AB − S_A (equation 5 of the paper): the
// change of a document's similarity when B is added to A.
func Delta(fused, base float64) float64 { return fused - base }

// Regime classifies a fused similarity in the state space of semantic aggregation
// (section 3 of the paper).
type Regime uint8

const (
	Subadditive    Regime = iota // between the weakest atom and the sum of all
	Superadditive                // above the sum of the atoms: reinforcement
	StrongDecrease               // below every atom: departure
)

var regimeNames = []string{Subadditive: "subadditive", Superadditive: "superadditive", StrongDecrease: "strong decrease"}

func (r Regime) String() string { return enum.Of(regimeNames, r) }

// MarshalText returns the name.
func (r Regime) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses a name.
func (r *Regime) UnmarshalText(text []byte) (err error) {
	*r, err = enum.Find[Regime]("regime", regimeNames, string(text))
	return err
}

// RegimeOf returns the regime of a fusion of atoms.
func RegimeOf(fused float64, atoms []float64) Regime {
	if len(atoms) == 0 {
		return Subadditive
	}
	var sum float64
	for _, a := range atoms {
		sum += a
	}
	switch {
	case fused > sum:
		return Superadditive
	case fused < slices.Min(atoms):
		return StrongDecrease
	}
	return Subadditive
}
