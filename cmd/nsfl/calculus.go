package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/logic"
)

// calculusFlags are the free choices of the calculus, for the verbs that score.
// Where none is given, a profile may choose instead.
type calculusFlags struct {
	and, not   float64
	gate       string
	most       float64
	similarity string
	noFloors   bool

	flags *pflag.FlagSet // tells what was given
}

func (c *calculusFlags) add(f *pflag.FlagSet) {
	c.flags = f
	f.Float64Var(&c.and, "c-and", 1, "coefficient of AND")
	f.Float64Var(&c.not, "c-not", 1, "coefficient of NOT")
	f.StringVar(&c.gate, "gate", "pool", "gate of NOT: pool, off, or a corpus bound such as 0.6")
	f.Float64Var(&c.most, "gate-cap", 0, "largest share of a penalty that NOT takes, such as 0.5; 0 is no cap")
	f.StringVar(&c.similarity, "similarity", "clamp", "what a cosine counts as: clamp (negative ones are 0), affine ((1+cos)/2) or raw")
	f.BoolVar(&c.noFloors, "no-floors", false, "switch the noise floors off")
}

func (c *calculusFlags) options() (o logic.Options, err error) {
	// A coefficient of 1 that was given is not one that was left out.
	if c.flags.Changed("c-and") {
		o.And = logic.C(c.and)
	}
	if c.flags.Changed("c-not") {
		o.Not = logic.C(c.not)
	}
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
	o.GateCap = c.most
	if o.Similarity, err = logic.ParseSimilarity(c.similarity); err != nil {
		return o, err
	}
	if c.noFloors {
		o.NoFloor = logic.AllFloors
	}
	return o, o.Check()
}
