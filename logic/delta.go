package logic

import (
	"fmt"
	"slices"
)

// Delta is the Neuro-Symbolic Delta Δ_{B|A} = S_AB − S_A (equation 5 of the
// paper): what adding B to A does to a document's similarity.
func Delta(fused, base float64) float64 { return fused - base }

// Minchoice orders atoms by their similarity, smallest first (equation 2): the
// first index is the semantic bottleneck, the last the dominant atom. Equal
// atoms keep their order.
func Minchoice(atoms []float64) []int {
	order := make([]int, len(atoms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case atoms[i] < atoms[j]:
			return -1
		case atoms[i] > atoms[j]:
			return 1
		}
		return 0
	})
	return order
}

// Decomposition is a fused similarity taken apart (equation 3):
//
//	S_fused = S_dominant + Σ_{k<n} Δ_minchoice_k
type Decomposition struct {
	Order    []int   // minchoice: indices of the atoms, weakest first
	Dominant float64 // zero order: the similarity of the dominant atom
	First    float64 // first order: the sum of the deltas of all the others
	// Deltas holds one delta per atom in Order, the dominant atom's being
	// zero. It is nil where only the sum is known: with three or more atoms
	// the single deltas need the fusions in between.
	Deltas []float64
	Regime Regime
}

// Fused is the zero and first order together, which is the fused similarity.
func (d Decomposition) Fused() float64 { return d.Dominant + d.First }

// Decompose takes the similarity to a fusion of atoms apart. For two atoms the
// deltas are known from these numbers alone. For more, between gives them: it
// returns the similarity to the fusion of a subset of the atoms, named by
// their indices in ascending order; without it (nil) only their sum is known.
func Decompose(fused float64, atoms []float64, between func(subset []int) float64) Decomposition {
	n := len(atoms)
	d := Decomposition{Order: Minchoice(atoms), Regime: RegimeOf(fused, atoms)}
	if n == 0 {
		d.First = fused
		return d
	}
	d.Dominant = atoms[d.Order[n-1]]
	d.First = Delta(fused, d.Dominant)
	if n > 2 && between == nil {
		return d
	}
	// Atoms join the dominant one from the strongest to the weakest; each
	// delta is what the fusion gains by the newcomer, so they telescope.
	d.Deltas = make([]float64, n)
	previous := d.Dominant
	for k := n - 2; k >= 0; k-- {
		with := fused
		if k > 0 {
			subset := slices.Clone(d.Order[k:])
			slices.Sort(subset)
			with = between(subset)
		}
		d.Deltas[k] = Delta(with, previous)
		previous = with
	}
	return d
}

// Regime is where a fused similarity lies in the state space of semantic
// aggregation (section 3 of the paper).
type Regime uint8

const (
	Subadditive    Regime = iota // between the weakest atom and the sum of all
	Superadditive                // above the sum of the atoms: reinforcement
	StrongDecrease               // below every atom: departure
)

var regimeNames = [...]string{Subadditive: "subadditive", Superadditive: "superadditive", StrongDecrease: "strong decrease"}

func (r Regime) String() string { return regimeNames[r] }

// MarshalText writes the regime by name.
func (r Regime) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a name.
func (r *Regime) UnmarshalText(text []byte) error {
	i := slices.Index(regimeNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown regime %q", text)
	}
	*r = Regime(i)
	return nil
}

// RegimeOf tells the regime of a fusion of atoms.
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
