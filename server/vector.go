package server

import (
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/sphere"
)

// VectorRequest asks for one query vector.
type VectorRequest struct {
	Question
	Fusion string   `json:"fusion,omitempty" enum:"simple,contextual,centroid"`
	Solver string   `json:"solver,omitempty" enum:"exact,rsgd,geometric"`
	Logic  Calculus `json:"logic,omitzero"`
}

// Vector is a query vector for any vector search, by cosine or inner product.
type Vector struct {
	Formula   string    `json:"formula"`
	Filter    string    `json:"filter,omitempty" doc:"not in the vector: whoever searches has to apply it"`
	Encoder   string    `json:"encoder"`
	Strings   []string  `json:"strings" nullable:"false" doc:"what was encoded"`
	Dimension int       `json:"dimension"`
	Objective float64   `json:"objective" doc:"the formula's value at the vector"`
	Method    string    `json:"method"`
	Steps     int       `json:"steps"`
	Vector    []float32 `json:"vector" nullable:"false"`
}

func (s *Server) vector(x *exchange, in *VectorRequest) (*Vector, error) {
	style, err := fusion.ParseStyle(or(in.Fusion, "simple"))
	if err != nil {
		return nil, invalid("%v", err)
	}
	options, err := in.Logic.options()
	if err != nil {
		return nil, err
	}
	f, _, err := in.read(nil)
	if err != nil {
		return nil, err
	}
	program, err := logic.Compile(f, options)
	if err != nil {
		return nil, err
	}
	o, release, err := s.collections.use(x.Context(), x.PathValue("name"), false)
	if err != nil {
		return nil, err
	}
	defer release()
	e, err := o.Searcher().Encode(x.Context(), f, style)
	if err != nil {
		return nil, err
	}
	var r sphere.Result
	switch in.Solver {
	case "", "exact":
		r, err = sphere.Exact(program.Objective(), e.Vectors)
	case "rsgd":
		r, err = sphere.RSGD(program.Objective(), e.Vectors, sphere.RSGDOptions{Seed: 1})
	case "geometric":
		r.Method = "geometric"
		r.Vector, err = sphere.Geometric(f, e.Vectors)
	default:
		return nil, invalid("unknown solver %q: it is exact, rsgd or geometric", in.Solver)
	}
	if err != nil {
		return nil, err
	}
	m := meaningOf(f, e.Plan)
	return &Vector{
		Formula: m.Formula, Filter: m.Filter, Encoder: o.Encoder().Identity().String(), Strings: m.Strings,
		Dimension: len(r.Vector), Objective: r.Value, Method: r.Method, Steps: r.Steps, Vector: r.Vector,
	}, nil
}
