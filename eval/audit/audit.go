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
	"github.com/nsfl-go/nsfl/retrieve"
)

// What is needed before anything is said.
const (
	MinQueries   = 5  // of a pair; negated labels of a label
	MinDocuments = 20 // with the label, in all queries of a pair or label
	MinSide      = 5  // right answers of a query with the label, and without it
	MinClean     = 20 // right answers of a query that the audit asks
	MinRemoved   = 10 // documents that its negation removes

	MaxProbes = 5000 // queries that the audit asks at most
)

// LargeFall is a fall that a user may notice, in percentile points.
const LargeFall = 5

// alpha is the level of tests, after correction.
const alpha = 0.05

// Config says what is audited.
type Config struct {
	Method   retrieve.Mode
	Fusion   fusion.Style
	Passages lab.Passages
	Options  retrieve.Options // mode, fusion, results and the gate's cap are not taken from them
	// Caps are the caps on the gate to compare, 0 being none. No cap is always among
	// them, and comes first.
	Caps []float64
	Own  bool   // audit the set's own negated queries, and ask none
	Seed uint64 // of resampling
	// Progress, unless nil, is told how many of all rankings are done.
	Progress func(done, total int)
}

// Audit is what was found.
type Audit struct {
	Set       string  `json:"set"`
	Split     string  `json:"split"`
	Encoder   string  `json:"encoder"`
	Method    string  `json:"method"`
	Fusion    string  `json:"fusion"`
	Passages  string  `json:"passages"`
	Command   string  `json:"command,omitempty"`
	Documents int     `json:"documents"`
	Own       bool    `json:"own_queries"`
	Queries   int     `json:"queries"` // with a negation that were audited
	Seed      uint64  `json:"seed"`
	Minimum   Support `json:"minimum"`

	Pairs  []Pair   `json:"pairs"`  // those tested, the largest fall first
	Labels []Label  `json:"labels"` // likewise
	Caps   []Capped `json:"caps"`
	// Nearest is the pair that comes nearest to being tested, where none was.
	Nearest *Pair    `json:"nearest,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// Support is what a figure rests on.
type Support struct {
	Queries   int `json:"queries"`   // that have enough right answers with the label and without it
	Documents int `json:"documents"` // with the label that are right answers to any of them
}

// Effect is how documents with a label fare under a negation, in percentile points;
// above 0 they fall. The package's documentation defines each figure.
type Effect struct {
	Support
	Excess float64 `json:"excess"`
	Low    float64 `json:"low"` // the 95 % interval of Excess
	High   float64 `json:"high"`
	SE     float64 `json:"se"`
	P      float64 `json:"p"`
	PBH    float64 `json:"p_bh"`
	PHolm  float64 `json:"p_holm"`
}

// falls reports whether documents with the label fall by more than chance, all
// tests considered; rises is its counterpart.
func (e *Effect) falls() bool { return e.PBH <= alpha && e.Excess > 0 }
func (e *Effect) rises() bool { return e.PBH <= alpha && e.Excess < 0 }

// Pair is a negated label and another one.
type Pair struct {
	Negated string `json:"negated"`
	Label   string `json:"label"`
	Effect
	Crude float64 `json:"crude"`           // with documents that have the negated label
	Apart float64 `json:"without_negated"` // without them
}

// Label is a label under all negations of others.
type Label struct {
	Label   string `json:"label"`
	Negated int    `json:"negated"` // labels that are
	Effect
}

// Run audits a set.
func Run(ctx context.Context, set *sets.Set, corpus *lab.Corpus, c Config) (*Audit, error) {
	const doing = "auditing NOT"
	labels, err := readLabels(set, corpus)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	a := &Audit{
		Set: set.Name, Split: set.Split, Encoder: corpus.Encoder, Method: c.Method.String(), Fusion: c.Fusion.String(), Passages: c.Passages.String(),
		Documents: len(corpus.IDs), Own: c.Own, Seed: c.Seed, Minimum: Support{MinQueries, MinDocuments}, Pairs: []Pair{}, Labels: []Label{},
	}
	negated := &sets.Set{Name: set.Name, Split: set.Split}
	var questions []*question
	questions, negated.Queries, a.Notes = own(labels, set)
	if len(questions) == 0 {
		return nil, errors.New(doing + ": no query of the set negates a label; take a logic set with formulas such as A AND NOT B")
	}
	if !c.Own {
		var notes []string
		if questions, notes, err = probes(labels, set, c.Seed); err != nil {
			return nil, fmt.Errorf("%s: %w", doing, err)
		}
		a.Notes = append(a.Notes, notes...)
	}
	a.Queries = len(questions)
	c.Caps = append([]float64{0}, slices.DeleteFunc(slices.Clone(c.Caps), func(v float64) bool { return v == 0 })...)
	if err := c.move(ctx, corpus, questions, len(negated.Queries)*len(c.Caps)); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	s := &study{labels: labels, questions: questions}
	for k := range c.Caps {
		found, err := s.analyse(k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", doing, err)
		}
		if k == 0 {
			a.Pairs, a.Labels, a.Nearest = found.pairs, found.labels, found.nearest
		}
		a.Caps = append(a.Caps, newCapped(c.Caps[k], a.Pairs, found.pairs))
	}
	return a, a.price(ctx, negated, corpus, c, len(questions))
}

// options are those of a cap.
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

// move ranks for every question, without its negation and with it under every cap.
// rest is how many rankings will follow, for the progress.
func (c *Config) move(ctx context.Context, corpus *lab.Corpus, questions []*question, rest int) error {
	number := map[string]int{}
	var positive, whole []string
	for _, n := range questions {
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
		questions[i].place(before[number[questions[i].positive]], orders, len(corpus.IDs))
	})
}

// place keeps the percentiles of the documents it is about.
func (n *question) place(before lab.Order, after []lab.Order, documents int) {
	slot := make([]int, documents)
	right := make([]int, len(n.right))
	for k, i := range n.right {
		right[k] = n.fits[i]
	}
	n.first, n.last = places(before, n.fits, slot), places(after[0], n.fits, slot)
	n.before = places(before, right, slot)
	for _, o := range after {
		n.after = append(n.after, places(o, right, slot))
	}
}
