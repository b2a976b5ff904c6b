package retrieve

import (
	"slices"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Mode selects how candidates are found and ranked.
type Mode uint8

// The modes. M is the monolithic vector, x the vector that maximizes the calculus on the
// sphere, and g the geometric vector.
const (
	Auto      Mode = iota // chooses one of the others
	Baseline              // nearest to M: plain dense retrieval
	Rerank                // a pool near M, ranked by the calculus: the paper's method
	SQO                   // nearest to x, without reranking
	Hybrid                // as many documents as a proof of the best takes, ranked by the calculus
	Exact                 // all documents, ranked by the calculus
	GeoRerank             // a pool near M, ranked by g
	GeoOpt                // nearest to g
	GeoHybrid             // a pool near g, ranked by g
)

var modeNames = []string{"auto", "baseline", "rerank", "sqo", "hybrid", "exact", "geo-rerank", "geo-opt", "geo-hybrid"}

func (m Mode) String() string { return enum.Of(modeNames, m) }

// ParseMode returns the mode with the given name.
func ParseMode(s string) (Mode, error) { return enum.Find[Mode]("mode", modeNames, s) }

// ModeNames returns the names that ParseMode accepts.
func ModeNames() []string { return slices.Clone(modeNames) }

// MarshalText returns the name.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText parses a name.
func (m *Mode) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMode(string(text))
	return err
}

// Pool selects the vectors that candidates must be near, in modes with a pool near the
// monolithic vector.
type Pool uint8

const (
	Monolithic Pool = iota // the monolithic vector
	Union                  // the monolithic vector and every fusion and atom without a negated atom
)

var poolNames = []string{"monolithic", "union"}

func (p Pool) String() string { return enum.Of(poolNames, p) }

// MarshalText returns the name.
func (p Pool) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText parses a name.
func (p *Pool) UnmarshalText(text []byte) (err error) {
	*p, err = enum.Find[Pool]("pool", poolNames, string(text))
	return err
}

// Solver selects how the best vector on the sphere is found.
type Solver uint8

const (
	Solved Solver = iota // exact, if the formula has a closed form
	RSGD                 // the paper's gradient descent
)

var solverNames = []string{"exact", "rsgd"}

func (s Solver) String() string { return enum.Of(solverNames, s) }

// MarshalText returns the name.
func (s Solver) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses a name.
func (s *Solver) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Find[Solver]("solver", solverNames, string(text))
	return err
}

// calculus reports whether the mode ranks by the calculus.
func (m Mode) calculus() bool { return m == Rerank || m == Hybrid || m == Exact }

// geometric reports whether the mode ranks or searches by a geometric sum of vectors.
func (m Mode) geometric() bool { return m == GeoRerank || m == GeoOpt || m == GeoHybrid }

// pooled reports whether the mode finds more candidates than it returns results.
func (m Mode) pooled() bool { return m == Rerank || m == Hybrid || m == GeoRerank || m == GeoHybrid }
