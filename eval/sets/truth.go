package sets

import (
	"errors"
	"iter"
	"math/bits"
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// bitmap is a set of documents by their index in the corpus.
type bitmap []uint64

func (b *bitmap) set(i int) {
	for len(*b) <= i/64 {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b bitmap) has(i int) bool { return i/64 < len(b) && b[i/64]>>(i%64)&1 == 1 }

func (b bitmap) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// labelled records which documents of a corpus have which label.
type labelled struct {
	ids    []string
	places map[string]int
	having map[string]bitmap // by label
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
		if wanted(l) {
			b := c.having[l]
			b.set(place)
			c.having[l] = b
		}
	}
	return true
}

func newLabelled() *labelled {
	return &labelled{places: map[string]int{}, having: map[string]bitmap{}}
}

// evaluate returns the documents for which a truth holds.
func (c *labelled) evaluate(n query.Node) bitmap {
	out := make(bitmap, (len(c.ids)+63)/64)
	switch n := n.(type) {
	case *query.Atom:
		copy(out, c.having[n.Text])
	case *query.Not:
		for i, w := range c.evaluate(n.X) {
			out[i] = ^w
		}
		if rest := len(c.ids) % 64; rest > 0 {
			out[len(out)-1] &= 1<<rest - 1
		}
	case *query.And:
		return c.combined(n.Parts, false)
	case *query.Or:
		return c.combined(n.Parts, true)
	case *query.AtLeast:
		return c.atLeast(n)
	}
	return out
}

func (c *labelled) combined(parts []query.Node, or bool) bitmap {
	out := c.evaluate(parts[0])
	for _, part := range parts[1:] {
		out.combine(c.evaluate(part), or)
	}
	return out
}

// atLeast finds, part by part, where one, two … of the parts so far hold.
func (c *labelled) atLeast(n *query.AtLeast) bitmap {
	reached := make([]bitmap, n.K)
	for k := range reached {
		reached[k] = make(bitmap, (len(c.ids)+63)/64)
	}
	for _, part := range n.Parts {
		holds := c.evaluate(part)
		for k := n.K - 1; k > 0; k-- {
			both := slices.Clone(holds)
			both.combine(reached[k-1], false)
			reached[k].combine(both, true)
		}
		reached[0].combine(holds, true)
	}
	return reached[n.K-1]
}

// combine computes the intersection or the union.
func (b bitmap) combine(with bitmap, or bool) {
	for i, w := range with {
		if or {
			b[i] |= w
		} else {
			b[i] &= w
		}
	}
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
	places bitmap
}

func (m matches) grade(id string) int {
	if place, ok := m.corpus.places[id]; ok && m.places.has(place) {
		return 1
	}
	return 0
}

func (m matches) relevant() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i, id := range m.corpus.ids {
			if m.places.has(i) && !yield(id, 1) {
				return
			}
		}
	}
}
