package retrieve

import "context"

// Vector is a single query vector for a formula, for any vector search by cosine or inner
// product.
type Vector struct {
	Formula   string      `json:"formula"`
	Filter    string      `json:"filter,omitempty" doc:"not part of the vector: apply it in the search"`
	Profile   string      `json:"profile,omitempty" doc:"the profile that moved the vectors"`
	Encoder   string      `json:"encoder"`
	Strings   []string    `json:"strings" nullable:"false" doc:"the strings that were encoded"`
	Dimension int         `json:"dimension"`
	Objective float64     `json:"objective" doc:"the formula's value at the vector"`
	Method    string      `json:"method"`
	Steps     int         `json:"steps"`
	Vector    []float32   `json:"vector,omitempty" nullable:"false"`
	Timings   VectorTimes `json:"timings_ms"`
}

// VectorTimes holds the duration of each step, in milliseconds.
type VectorTimes struct {
	Encode float64 `json:"encode"`
	Solve  float64 `json:"solve"`
}

// Vector returns the query vector of mode SQO or, if requested, GeoOpt.
func (s *Searcher) Vector(ctx context.Context, q *Question, o Options) (*Vector, error) {
	switch o.Mode {
	case Auto:
		o.Mode = SQO
	case SQO, GeoOpt:
	default:
		return nil, badOption("mode %s goes by no single vector, or ranks by more than it: sqo and geo-opt have one", o.Mode)
	}
	p, err := s.Prepare(ctx, q, o)
	if err != nil {
		return nil, err
	}
	lap := stopwatch()
	aim, err := p.aim()
	if err != nil {
		return nil, err
	}
	lap(&p.times.Find)
	v := &Vector{
		Formula: p.Formula.Root.String(), Encoder: s.Encoder.Identity().String(), Strings: p.Plan.Strings,
		Dimension: len(aim.Vector), Objective: aim.Value, Method: aim.Method, Steps: aim.Steps, Vector: aim.Vector,
		Timings: VectorTimes{milliseconds(p.times.Encode), milliseconds(p.times.Find)},
	}
	if p.Profile != nil {
		v.Profile = p.Profile.Name
	}
	if p.Formula.Filter != nil {
		v.Filter = p.Formula.Filter.String()
	}
	return v, nil
}
