package audit

import (
	"context"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Capped is the audit under one cap on the gate, and what the cap costs.
type Capped struct {
	Cap   float64 `json:"cap"` // 0: none
	Falls int     `json:"falls"`
	Rises int     `json:"rises"`
	Holm  int     `json:"holm"`  // of both, those that stand by Holm's correction
	Large int     `json:"large"` // falls by LargeFall or more
	// Typical is the root of the mean square of all excesses tested, less what chance
	// adds to it. Selection does not touch it.
	Typical float64 `json:"typical"`
	// Mean is that of the excesses of the pairs that fall without a cap, by negated
	// label first; Change is its difference to no cap. Both are nil where no pair
	// falls.
	Mean   *float64        `json:"mean_of_falls,omitempty"`
	Change *stats.Interval `json:"mean_of_falls_difference,omitempty"`
	// MAP is the mAP@100 of the set's own negated queries, the mean over templates.
	MAP  float64         `json:"map100"`
	Cost *stats.Interval `json:"map100_difference,omitempty"` // to no cap; nil for that itself

	byNegated map[string]float64
}

// newCapped sums up the pairs under a cap; plain are those without one.
func newCapped(gateCap float64, plain, pairs []Pair) Capped {
	c := Capped{Cap: gateCap}
	fell := map[[2]string]bool{}
	for i := range plain {
		if p := &plain[i]; p.falls() {
			fell[[2]string{p.Negated, p.Label}] = true
		}
	}
	sums, counts := map[string]float64{}, map[string]float64{}
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
		if fell[[2]string{p.Negated, p.Label}] {
			sums[p.Negated] += p.Excess
			counts[p.Negated]++
		}
	}
	c.Typical = math.Sqrt(max(0, square))
	c.byNegated = map[string]float64{}
	for b, sum := range sums {
		c.byNegated[b] = sum / counts[b]
	}
	return c
}

// price fills in the means of falls, and measures the set's own negated queries
// under every cap. done is how many rankings went before.
func (a *Audit) price(ctx context.Context, negated *sets.Set, corpus *lab.Corpus, c Config, done int) error {
	bootstrap := stats.Bootstrap{Seed: c.Seed}
	total := done + len(negated.Queries)*len(c.Caps)
	var strata []string
	for _, q := range negated.Queries {
		strata = append(strata, q.Template)
	}
	var plainMeans, plainAP []float64
	for k := range a.Caps {
		capped := &a.Caps[k]
		config := lab.Config{
			Methods: []retrieve.Mode{c.Method}, Fusions: []fusion.Style{c.Fusion}, Passages: []lab.Passages{c.Passages}, Options: c.options(capped.Cap),
		}
		if c.Progress != nil {
			config.Progress = func(n, _ int) { c.Progress(done+n, total) }
		}
		outcomes, err := lab.Run(ctx, negated, corpus, config)
		if err != nil {
			return err
		}
		done += len(negated.Queries)
		capped.MAP = lab.Summarize(outcomes[0]).MAP
		var ap []float64
		for i := range outcomes[0].Queries {
			ap = append(ap, outcomes[0].Queries[i].AP)
		}
		means := a.meansOf(capped)
		if k == 0 {
			plainMeans, plainAP = means, ap
			continue
		}
		where := fmt.Sprintf("mAP@100 with a cap of %g", capped.Cap)
		if capped.Cost, err = a.difference(bootstrap, plainAP, ap, strata, where); err != nil {
			return err
		}
		if len(means) == 0 {
			continue
		}
		where = fmt.Sprintf("the mean of falls with a cap of %g", capped.Cap)
		if capped.Change, err = a.difference(bootstrap, plainMeans, means, nil, where); err != nil {
			return err
		}
	}
	return nil
}

// meansOf are the means of falls by negated label, in the order of pairs, and sets
// their mean.
func (a *Audit) meansOf(c *Capped) (means []float64) {
	seen := map[string]bool{}
	sum := 0.0
	for i := range a.Pairs {
		b := a.Pairs[i].Negated
		if m, falls := c.byNegated[b]; falls && !seen[b] {
			seen[b] = true
			means = append(means, m)
			sum += m
		}
	}
	if len(means) > 0 {
		mean := sum / float64(len(means))
		c.Mean = &mean
	}
	return means
}

// difference is method less base, with the warnings of the resampling kept.
func (a *Audit) difference(b stats.Bootstrap, base, method []float64, strata []string, where string) (*stats.Interval, error) {
	in, err := b.Difference(base, method, strata)
	if err != nil {
		return nil, err
	}
	for _, w := range in.Warnings {
		a.Notes = append(a.Notes, where+": "+w+".")
	}
	return in, nil
}
