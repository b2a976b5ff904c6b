package audit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Capped is the audit under one gate cap, and the cost of the cap.
type Capped struct {
	Cap   float64 `json:"cap"` // 0 means no cap
	Falls int     `json:"falls"`
	Rises int     `json:"rises"`
	Holm  int     `json:"holm"`  // falls and rises significant after Holm's correction
	Large int     `json:"large"` // falls by LargeFall or more
	// Typical is the root mean square of all excesses tested, minus the part due to chance.
	// It has no selection bias.
	Typical float64 `json:"typical"`
	// Mean is the mean excess of the pairs that fall without a cap, averaged by negated label
	// first; Change is its difference from no cap. Both are nil if no pair falls.
	Mean   *float64        `json:"mean_of_falls,omitempty"`
	Change *stats.Interval `json:"mean_of_falls_difference,omitempty"`
	// MAP is the mAP@100 of the set's own negated queries, averaged over templates.
	MAP  float64         `json:"map100"`
	Cost *stats.Interval `json:"map100_difference,omitempty"` // difference from no cap; nil for no cap

	means []float64 // the values averaged in Mean
}

// capped summarizes the pairs under a cap; a.Pairs are those without a cap.
func (a *Audit) capped(gateCap float64, pairs []Pair) Capped {
	c := Capped{Cap: gateCap}
	excess := map[[2]string]float64{}
	square := 0.0
	for i := range pairs {
		p := &pairs[i]
		if p.falls() {
			c.Falls++
			if p.Excess >= LargeFall {
				c.Large++
			}
		}
		if p.rises() {
			c.Rises++
		}
		if p.PHolm <= alpha {
			c.Holm++
		}
		square += (p.Excess*p.Excess - p.SE*p.SE) / float64(len(pairs))
		excess[[2]string{p.Negated, p.Label}] = p.Excess
	}
	c.Typical = math.Sqrt(max(0, square))
	var negated []string // in the order of a.Pairs
	fell := map[string][]float64{}
	for i := range a.Pairs {
		if p := &a.Pairs[i]; p.falls() {
			if !slices.Contains(negated, p.Negated) {
				negated = append(negated, p.Negated)
			}
			fell[p.Negated] = append(fell[p.Negated], excess[[2]string{p.Negated, p.Label}])
		}
	}
	for _, b := range negated {
		c.means = append(c.means, stats.Mean(fell[b]))
	}
	if len(c.means) > 0 {
		mean := stats.Mean(c.means)
		c.Mean = &mean
	}
	return c
}

// price measures the set's own negated queries under the k-th cap, and the effect of the cap.
// It returns their average precisions; plain holds those without a cap.
func (a *Audit) price(ctx context.Context, k int, negated *sets.Set, corpus *lab.Corpus, c Config, plain []float64) (own []float64, err error) {
	capped := &a.Caps[k]
	config := lab.Config{
		Methods: []retrieve.Mode{c.Method}, Fusions: []fusion.Style{c.Fusion}, Passages: []lab.Passages{c.Passages}, Options: c.options(capped.Cap),
	}
	if c.Progress != nil {
		config.Progress = func(n, of int) { c.Progress(a.Queries+k*of+n, a.Queries+len(c.Caps)*of) }
	}
	outcomes, err := lab.Run(ctx, negated, corpus, config)
	if err != nil {
		return nil, err
	}
	capped.MAP = lab.Summarize(outcomes[0]).MAP
	var strata []string
	for i := range outcomes[0].Queries {
		own, strata = append(own, outcomes[0].Queries[i].AP), append(strata, negated.Queries[i].Template)
	}
	if k == 0 {
		return own, nil
	}
	if capped.Cost, err = a.difference(plain, own, strata, fmt.Sprintf("mAP@100 with a cap of %g", capped.Cap)); err != nil {
		return nil, err
	}
	if capped.Mean != nil {
		capped.Change, err = a.difference(a.Caps[0].means, capped.means, nil, fmt.Sprintf("the mean of falls with a cap of %g", capped.Cap))
	}
	return own, err
}

// difference returns method minus base and records the warnings of the resampling.
func (a *Audit) difference(base, method []float64, strata []string, where string) (*stats.Interval, error) {
	in, err := stats.Bootstrap{Seed: a.Seed}.Difference(base, method, strata)
	if err != nil {
		return nil, err
	}
	for _, w := range in.Warnings {
		a.Notes = append(a.Notes, where+": "+w+".")
	}
	return in, nil
}
