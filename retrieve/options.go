package retrieve

import (
	"fmt"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

// Limits of a search. They keep one request from taking all of the memory.
const (
	MaxK          = 10_000
	MaxCandidates = 1_000_000
)

// Options are the free choices of a search; the zero value is good.
type Options struct {
	K          int  // results; 0: 10
	Mode       Mode // Auto: Choose decides
	Candidates int  // size of the pool, for each vector it is near to; 0: 1000, as in the paper
	Pool       Pool
	Fusion     fusion.Style
	Logic      logic.Options
	Solver     Solver // of the sphere, for SQO and Hybrid
	// Profile is how vectors are refined and which operators rank, where Fusion
	// and Logic are left at zero; nil: the searcher's.
	Profile *profile.Profile

	// MinScore leaves out results that are less probable to be relevant; 0: none
	// are. It needs a profile that is calibrated for the kind of formula.
	MinScore float64

	Explain bool // say how each score came about
	Compare bool // say where each result stood in plain retrieval
}

// Solver is how the best vector on the sphere is found.
type Solver uint8

const (
	Solved    Solver = iota // exactly, where the formula has a closed form
	Descended               // by the paper's RSGD
)

func (o Options) withDefaults() Options {
	if o.K == 0 {
		o.K = 10
	}
	if o.Candidates == 0 {
		o.Candidates = 1000
	}
	o.Candidates = max(o.Candidates, o.K)
	return o
}

// Check reports a choice that has no meaning.
func (o Options) Check() error {
	switch {
	case o.K < 0 || o.K > MaxK:
		return &OptionError{fmt.Sprintf("%d results are wanted: between 1 and %d are possible", o.K, MaxK)}
	case o.Candidates < 0 || o.Candidates > MaxCandidates:
		return &OptionError{fmt.Sprintf("a pool of %d is wanted: between 1 and %d are possible", o.Candidates, MaxCandidates)}
	case int(o.Mode) >= len(modeNames):
		return &OptionError{"unknown mode"}
	case int(o.Pool) >= len(poolNames):
		return &OptionError{"unknown pool"}
	case !(o.MinScore >= 0 && o.MinScore <= 1):
		return &OptionError{fmt.Sprintf("the least score is %v: it is a probability, between 0 and 1", o.MinScore)}
	}
	if err := o.Logic.Check(); err != nil {
		return &OptionError{err.Error()}
	}
	if o.Profile != nil {
		if err := o.Profile.Check(); err != nil {
			return &OptionError{fmt.Sprintf("the profile cannot be used: %v", err)}
		}
	}
	return nil
}

// OptionError says that a search was asked for in a way that has no meaning or
// that the store or the encoder cannot serve.
type OptionError struct{ Problem string }

func (e *OptionError) Error() string { return e.Problem }
