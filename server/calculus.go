package server

import (
	"bytes"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Calculus is the free choices of the calculus. Where some are made, the others are
// the paper's; where none is, the profile chooses.
type Calculus struct {
	And        *float64 `json:"c_and,omitempty" doc:"coefficient of AND; 1 by default"`
	Not        *float64 `json:"c_not,omitempty" doc:"coefficient of NOT; 1 by default"`
	Gate       Gate     `json:"gate,omitzero"`
	GateCap    float64  `json:"gate_cap,omitempty" minimum:"0" maximum:"1" doc:"largest share of a penalty that NOT takes; 0, the default, is no cap"`
	Similarity string   `json:"similarity,omitempty" enum:"clamp,affine,raw" doc:"what a cosine counts as; clamp by default"`
	Floors     Floors   `json:"floors,omitzero" doc:"noise floors; all are on by default"`
}

// Floors are the noise floors that are on.
type Floors struct {
	And *bool `json:"and,omitempty"`
	Not *bool `json:"not,omitempty"`
	Or  *bool `json:"or,omitempty"`
}

// Gate is pool, off or a bound.
type Gate struct{ logic.Gate }

// UnmarshalJSON reads a word or a number.
func (g *Gate) UnmarshalJSON(content []byte) error {
	var word string
	var bound float64
	switch {
	case json.Unmarshal(content, &word) == nil && word == "pool", string(bytes.TrimSpace(content)) == "null":
		return nil
	case word == "off":
		g.Kind = logic.Ungated
		return nil
	case word == "" && json.Unmarshal(content, &bound) == nil:
		g.Kind, g.Bound = logic.ByBound, bound
		return nil
	}
	return invalid("gate is %s; it is \"pool\", \"off\" or a number above 0 and at most 1", clip(content))
}

// Schema is that of a word or a number.
func (Gate) Schema(huma.Registry) *huma.Schema {
	least, most := 0.0, 1.0
	return &huma.Schema{
		Description: "the gate of NOT: by the pool's maximum, off, or by a bound for the corpus",
		OneOf:       []*huma.Schema{{Type: huma.TypeString, Enum: []any{"pool", "off"}}, {Type: huma.TypeNumber, ExclusiveMinimum: &least, Maximum: &most}},
	}
}

func (c *Calculus) options() (o logic.Options, err error) {
	o.Gate = c.Gate.Gate
	o.GateCap = c.GateCap
	if c.And != nil {
		o.And = logic.C(*c.And)
	}
	if c.Not != nil {
		o.Not = logic.C(*c.Not)
	}
	if o.Similarity, err = logic.ParseSimilarity(or(c.Similarity, "clamp")); err != nil {
		return o, invalid("%v", err)
	}
	for floor, on := range map[logic.Floors]*bool{logic.AndFloor: c.Floors.And, logic.NotFloor: c.Floors.Not, logic.OrFloor: c.Floors.Or} {
		if on != nil && !*on {
			o.NoFloor |= floor
		}
	}
	if err := o.Check(); err != nil {
		return o, &retrieve.OptionError{Problem: err.Error()}
	}
	return o, nil
}
