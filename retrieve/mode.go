package retrieve

import (
	"slices"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Mode is how candidates are found and ranked.
type Mode uint8

// The modes. M is the monolithic vector, x the vector that maximises the
// calculus on the sphere, g the geometric one.
const (
	Auto      Mode = iota // Choose picks one of the others
	Baseline              // the nearest to M: plain dense retrieval
	Rerank                // a pool near M, ranked by the calculus: the paper's method
	SQO                   // the nearest to x, no rescoring
	Hybrid                // as many documents as it takes to know the best of all, ranked by the calculus
	Exact                 // all documents, ranked by the calculus
	GeoRerank             // a pool near M, ranked by g
	GeoOpt                // the nearest to g
	GeoHybrid             // a pool near g, ranked by g
)

var modeNames = []string{"auto", "baseline", "rerank", "sqo", "hybrid", "exact", "geo-rerank", "geo-opt", "geo-hybrid"}

func (m Mode) String() string { return enum.Of(modeNames, m) }

// ParseMode is the mode of a name.
func ParseMode(s string) (Mode, error) { return enum.Find[Mode]("mode", modeNames, s) }

// ModeNames are those that ParseMode knows.
func ModeNames() []string { return slices.Clone(modeNames) }

// MarshalText writes the name.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a name.
func (m *Mode) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMode(string(text))
	return err
}

// Pool is what candidates are to be near to, in the modes that have a pool near
// the monolithic vector.
type Pool uint8

const (
	Monolithic Pool = iota // the monolithic vector
	Union                  // that one, every fusion and every atom, but for what is negated
)

var poolNames = []string{"monolithic", "union"}

func (p Pool) String() string { return enum.Of(poolNames, p) }

// MarshalText writes the name.
func (p Pool) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a name.
func (p *Pool) UnmarshalText(text []byte) (err error) {
	*p, err = enum.Find[Pool]("pool", poolNames, string(text))
	return err
}

// Solver is how the best vector on the sphere is found.
type Solver uint8

const (
	Solved Solver = iota // exactly, where the formula has a closed form
	RSGD                 // by the paper's descent
)

var solverNames = []string{"exact", "rsgd"}

func (s Solver) String() string { return enum.Of(solverNames, s) }

// MarshalText writes the name.
func (s Solver) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name.
func (s *Solver) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Find[Solver]("solver", solverNames, string(text))
	return err
}

// calculus reports whether the mode ranks by the calculus.
func (m Mode) calculus() bool { return m == Rerank || m == Hybrid || m == Exact }

// geometric reports whether the mode composes vectors instead.
func (m Mode) geometric() bool { return m == GeoRerank || m == GeoOpt || m == GeoHybrid }

// pooled reports whether more candidates are found than results wanted.
func (m Mode) pooled() bool { return m == Rerank || m == Hybrid || m == GeoRerank || m == GeoHybrid }
