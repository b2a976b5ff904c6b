package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// The minimum evidence for testing a pair.
const (
	MinQueries   = 5  // queries of a pair
	MinDocuments = 20 // documents with the label, over all queries of a pair
	MinSide      = 5  // right answers of a query with the label, and as many without
	MinClean     = 20 // right answers of a query
	MinRemoved   = 10 // documents that its negation removes

	MaxProbes = 5000 // maximum number of queries
)

// LargeFall is a fall that users may notice, in percentile points.
const LargeFall = 5

// alpha is the significance level after correction.
const alpha = 0.05

// Config configures an audit.
type Config struct {
	Method   retrieve.Mode
	Fusion   fusion.Style
	Passages lab.Passages
	Options  retrieve.Options // mode, fusion, results and gate cap are ignored
	// Caps are the gate caps to compare; 0 means no cap. No cap is always included and
	// comes first.
	Caps []float64
	Seed uint64 // seed for resampling
	// Progress, if not nil, is called with the number of rankings done and their total.
	Progress func(done, total int)
}

// Audit is the result of an audit.
type Audit struct {
	Set       string  `json:"set"`
	Split     string  `json:"split"`
	Encoder   string  `json:"encoder"`
	Method    string  `json:"method"`
	Fusion    string  `json:"fusion"`
	Passages  string  `json:"passages"`
	Command   string  `json:"command,omitempty"`
	Documents int     `json:"documents"`
	Queries   int     `json:"queries"`
	Seed      uint64  `json:"seed"`
	Minimum   Support `json:"minimum"`

	Pairs []Pair   `json:"pairs"` // the tested pairs, largest fall first
	Caps  []Capped `json:"caps"`
	Notes []string `json:"notes,omitempty"`
}

// Support is the amount of data behind a figure.
type Support struct {
	Queries   int `json:"queries"`   // with enough right answers with and without the label
	Documents int `json:"documents"` // with the label and a right answer to any of the queries
}

// Pair is a negated label and another label, with the effect of the negation on documents
// with the other label, in percentile points. Positive values are falls.
type Pair struct {
	Negated string `json:"negated"`
	Label   string `json:"label"`
	Support
	Excess float64 `json:"excess"`
	Low    float64 `json:"low"` // 95 % interval of Excess
	High   float64 `json:"high"`
	SE     float64 `json:"se"`
	P      float64 `json:"p"`
	PBH    float64 `json:"p_bh"`
	PHolm  float64 `json:"p_holm"`
}

// falls reports whether documents with the label fall by more than chance, corrected for all
// tests; rises is its counterpart.
func (p *Pair) falls() bool { return p.PBH <= alpha && p.Excess > 0 }
func (p *Pair) rises() bool { return p.PBH <= alpha && p.Excess < 0 }

// Run audits a set.
func Run(ctx context.Context, set *sets.Set, corpus *lab.Corpus, c Config) (*Audit, error) {
	a, err := run(ctx, set, corpus, c)
	if err != nil {
		return nil, fmt.Errorf("auditing NOT: %w", err)
	}
	return a, nil
}

func run(ctx context.Context, set *sets.Set, corpus *lab.Corpus, c Config) (*Audit, error) {
	labels, err := readLabels(set, corpus)
	if err != nil {
		return nil, err
	}
	negated := &sets.Set{Name: set.Name, Split: set.Split}
	for _, q := range set.Queries {
		if truth, err := query.Parse(q.Truth); err == nil && len(query.Negated(truth)) > 0 {
			negated.Queries = append(negated.Queries, q)
		}
	}
	if len(negated.Queries) == 0 {
		return nil, errors.New("no query of the set negates a label; use a logic set with formulas such as A AND NOT B")
	}
	probes, notes := ask(labels, set, c.Seed)
	a := &Audit{
		Set: set.Name, Split: set.Split, Encoder: corpus.Encoder, Method: c.Method.String(), Fusion: c.Fusion.String(), Passages: c.Passages.String(),
		Documents: len(corpus.IDs), Queries: len(probes), Seed: c.Seed, Minimum: Support{MinQueries, MinDocuments}, Notes: notes,
	}
	c.Caps = append([]float64{0}, slices.DeleteFunc(slices.Clone(c.Caps), func(v float64) bool { return v == 0 })...)
	if err := c.move(ctx, corpus, probes, len(negated.Queries)*len(c.Caps)); err != nil {
		return nil, err
	}
	var plain []float64
	for k, gateCap := range c.Caps {
		pairs, err := analyse(labels, probes, k)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			a.Pairs = pairs
		}
		a.Caps = append(a.Caps, a.capped(gateCap, pairs))
		own, err := a.price(ctx, k, negated, corpus, c, plain)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			plain = own
		}
	}
	return a, nil
}

// options returns the search options for a gate cap.
func (c *Config) options(gateCap float64) retrieve.Options {
	o := c.Options
	if gateCap > 0 {
		var l logic.Options
		if o.Logic != nil {
			l = *o.Logic
		}
		l.GateCap = gateCap
		o.Logic = &l
	}
	return o
}

// move ranks for every probe, without its negation and with it under every cap. rest is the
// number of rankings that will follow, for progress reports.
func (c *Config) move(ctx context.Context, corpus *lab.Corpus, probes []*probe, rest int) error {
	number := map[string]int{}
	var positive, whole []string
	for _, n := range probes {
		if _, seen := number[n.positive]; !seen {
			number[n.positive] = len(positive)
			positive = append(positive, n.positive)
		}
		whole = append(whole, n.formula)
	}
	order := lab.OrderConfig{Method: c.Method, Fusion: c.Fusion, Passages: c.Passages, Options: []retrieve.Options{c.options(0)}}
	before := make([]lab.Order, len(positive))
	if err := lab.Orders(ctx, corpus, positive, order, func(i int, orders []lab.Order) { before[i] = orders[0] }); err != nil {
		return err
	}
	order.Options = nil
	for _, v := range c.Caps {
		order.Options = append(order.Options, c.options(v))
	}
	if c.Progress != nil {
		order.Progress = func(done, total int) { c.Progress(done, total+rest) }
	}
	return lab.Orders(ctx, corpus, whole, order, func(i int, orders []lab.Order) {
		n := probes[i]
		n.before = places(before[number[n.positive]], n.right, len(corpus.IDs))
		for _, o := range orders {
			n.after = append(n.after, places(o, n.right, len(corpus.IDs)))
		}
	})
}
