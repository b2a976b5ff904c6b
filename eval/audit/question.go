package audit

import (
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/query"
)

// question is a query with a negation, and the documents it is about.
type question struct {
	formula, positive string // the whole of it, and without what is negated
	negated           []int
	mentioned         map[int]bool // labels that occur in it

	fits  []int         // documents for which the positive part holds
	right []int         // places in fits of those without a negated label
	among map[int][]int // by label, places in fits
	with  map[int][]int // by label, places in right

	// Percentiles, 0 the best.
	first, last []float32   // among fits: before, and after by the first cap
	before      []float32   // among right
	after       [][]float32 // among right, by cap
}

// newQuestion reads a query; it is nil where nothing is negated, and an error says
// why it cannot be audited.
func newQuestion(c *labelled, q *sets.Query) (*question, error) {
	truth, err := query.Parse(q.Truth)
	if err != nil {
		return nil, err
	}
	formula, err := query.Parse(q.Formula)
	if err != nil {
		return nil, err
	}
	n := &question{formula: q.Formula, mentioned: map[int]bool{}}
	for a, nots := range query.Atoms(truth) {
		l, known := c.number[a.Text]
		if negated := nots%2 == 1; negated && !known {
			return nil, fmt.Errorf("no document has the label %q", a.Text)
		} else if negated && !slices.Contains(n.negated, l) {
			n.negated = append(n.negated, l)
		}
		if known {
			n.mentioned[l] = true
		}
	}
	if len(n.negated) == 0 {
		return nil, nil
	}
	asked, whole := positive(query.NNF(formula))
	wanted, all := positive(query.NNF(truth))
	if asked == nil || wanted == nil || !whole || !all {
		return nil, fmt.Errorf("%s has a part that is only negative", q.Formula)
	}
	n.positive = asked.String()
	n.fits = c.fitting(wanted)
	n.sort(c)
	return n, nil
}

// sort finds the right answers and who has which label.
func (n *question) sort(c *labelled) {
	n.among, n.with = map[int][]int{}, map[int][]int{}
	for i, document := range n.fits {
		clean := true
		for _, b := range n.negated {
			clean = clean && !c.has(document, b)
		}
		for _, l := range c.of[document] {
			if n.mentioned[l] {
				continue
			}
			n.among[l] = append(n.among[l], i)
			if clean {
				n.with[l] = append(n.with[l], len(n.right))
			}
		}
		if clean {
			n.right = append(n.right, i)
		}
	}
}

// supports reports whether enough right answers have a label and lack it.
func (n *question) supports(label int) bool {
	with := len(n.with[label])
	return with >= MinSide && len(n.right)-with >= MinSide
}

// positive leaves out what is negated in a formula in negation normal form. It is
// nil where nothing is left, and whole is false where an alternative is only
// negative: without its negation the formula would mean something else.
func positive(n query.Node) (left query.Node, whole bool) {
	keep := func(parts []query.Node) (kept []query.Node) {
		whole = true
		for _, p := range parts {
			k, ok := positive(p)
			whole = whole && ok
			if k != nil {
				kept = append(kept, k)
			}
		}
		return kept
	}
	switch n := n.(type) {
	case *query.Not:
		return nil, true
	case *query.And:
		return query.AllOf(keep(n.Parts)...), whole
	case *query.Or:
		kept := keep(n.Parts)
		if len(kept) < len(n.Parts) {
			return nil, false
		}
		return &query.Or{Parts: kept}, whole
	}
	return n, true
}
