package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/logic"
)

// calculusFlags are the free choices of the calculus, for the verbs that score.
type calculusFlags struct {
	and, not   float64
	gate       string
	similarity string
	noFloors   bool
}

func (c *calculusFlags) add(f *pflag.FlagSet) {
	f.Float64Var(&c.and, "c-and", 1, "coefficient of AND")
	f.Float64Var(&c.not, "c-not", 1, "coefficient of NOT")
	f.StringVar(&c.gate, "gate", "pool", "gate of NOT: pool, off, or a corpus bound such as 0.6")
	f.StringVar(&c.similarity, "similarity", "clamp", "what a cosine counts as: clamp (negative ones are 0), affine ((1+cos)/2) or raw")
	f.BoolVar(&c.noFloors, "no-floors", false, "switch the noise floors off")
}

func (c *calculusFlags) options() (logic.Options, error) {
	o := logic.Options{And: logic.C(c.and), Not: logic.C(c.not)}
	switch c.gate {
	case "pool":
	case "off":
		o.Gate.Kind = logic.Ungated
	default:
		bound, err := strconv.ParseFloat(c.gate, 64)
		if err != nil {
			return o, fmt.Errorf("unknown gate %q: expected pool, off or a number", c.gate)
		}
		o.Gate = logic.Gate{Kind: logic.ByBound, Bound: bound}
	}
	switch c.similarity {
	case "clamp":
	case "affine":
		o.Similarity = logic.Affine
	case "raw":
		o.Similarity = logic.Raw
	default:
		return o, fmt.Errorf("unknown similarity %q: expected clamp, affine or raw", c.similarity)
	}
	if c.noFloors {
		o.NoFloor = logic.AllFloors
	}
	return o, o.Check()
}
