package sets

import (
	"errors"
	"iter"
	"math/big"
	"math/bits"

	"github.com/nsfl-go/nsfl/query"
)

// labelled records which documents of a corpus have which label. In a set of documents, the bit
// at a document's index in the corpus is 1.
type labelled struct {
	ids    []string
	places map[string]int
	having map[string]*big.Int // by label
}

func newLabelled() *labelled {
	return &labelled{places: map[string]int{}, having: map[string]*big.Int{}}
}

// add appends a document. It reports whether the id is new.
func (c *labelled) add(id string, labels []string, wanted func(label string) bool) bool {
	if _, twice := c.places[id]; twice {
		return false
	}
	place := len(c.ids)
	c.places[id] = place
	c.ids = append(c.ids, id)
	for _, l := range labels {
		if !wanted(l) {
			continue
		}
		if c.having[l] == nil {
			c.having[l] = new(big.Int)
		}
		c.having[l].SetBit(c.having[l], place, 1)
	}
	return true
}

// evaluate returns the documents for which a truth holds. The result must not be changed.
func (c *labelled) evaluate(n query.Node) *big.Int {
	switch n := n.(type) {
	case *query.Atom:
		if having := c.having[n.Text]; having != nil {
			return having
		}
	case *query.Not:
		all := new(big.Int).Lsh(big.NewInt(1), uint(len(c.ids)))
		return new(big.Int).AndNot(all.Sub(all, big.NewInt(1)), c.evaluate(n.X))
	case *query.And:
		out := c.evaluate(n.Parts[0])
		for _, part := range n.Parts[1:] {
			out = new(big.Int).And(out, c.evaluate(part))
		}
		return out
	case *query.Or:
		out := new(big.Int)
		for _, part := range n.Parts {
			out.Or(out, c.evaluate(part))
		}
		return out
	case *query.AtLeast:
		return c.atLeast(n)
	}
	return new(big.Int)
}

// atLeast finds, part by part, where one, two … of the parts so far hold.
func (c *labelled) atLeast(n *query.AtLeast) *big.Int {
	reached := make([]big.Int, n.K)
	for _, part := range n.Parts {
		holds := c.evaluate(part)
		for k := n.K - 1; k > 0; k-- {
			both := new(big.Int).And(holds, &reached[k-1])
			reached[k].Or(&reached[k], both)
		}
		reached[0].Or(&reached[0], holds)
	}
	return &reached[n.K-1]
}

// count returns the number of documents in a set.
func count(documents *big.Int) (n int) {
	for _, w := range documents.Bits() {
		n += bits.OnesCount(uint(w))
	}
	return n
}

// checkTruth rejects anything but a plain formula over labels.
func checkTruth(n query.Node) error {
	for leaf := range query.Leaves(n) {
		if a, ok := leaf.(*query.Atom); !ok || a.Kind != query.Text || a.Weight != 0 {
			return errors.New("a truth may only contain labels, not predicates, weights or examples; quote a label that looks like one: " + leaf.String())
		}
	}
	return nil
}

// matches are the judgements given by a truth.
type matches struct {
	corpus *labelled
	places *big.Int
}

func (m matches) grade(id string) int {
	if place, ok := m.corpus.places[id]; ok && m.places.Bit(place) == 1 {
		return 1
	}
	return 0
}

func (m matches) relevant() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i, id := range m.corpus.ids {
			if m.places.Bit(i) == 1 && !yield(id, 1) {
				return
			}
		}
	}
}
