package fusion

import (
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// Plan describes how the terms of a formula become vectors.
type Plan struct {
	// Strings are the strings to encode in the query role, each listed once.
	Strings []string
	// Items are atoms whose vectors come from a stored document or a picture.
	Items []*query.Atom
	// Terms describes how to compute the vector of each of the formula's terms.
	Terms []Recipe
}

// Recipe computes the vector of one term as the normalized sum of its sources. With one
// source, it is that source's vector, unchanged.
type Recipe struct {
	Term    string // the term in query syntax
	Sources []Source
}

// Source is one of the vectors in the sum for a term.
type Source struct {
	Item  bool // whether Index is an index into Plan.Items, not Plan.Strings
	Index int
}

// New plans the fusion of a formula. A term becomes one string in the given style. A term
// with an atom that has no text becomes a centroid of its atoms, whatever the style.
func New(f *query.Formula, style Style) *Plan {
	p := &Plan{}
	for i := range f.Terms.Len() {
		term := f.Terms.At(i)
		r := Recipe{Term: term.String()}
		switch {
		case query.IsAtom(term):
			r.Sources = []Source{p.atom(term.(*query.Atom))}
		case style == Centroid || !hasWords(term):
			p.centroid(term, &r)
		case style == Contextual:
			r.Sources = []Source{p.text(contextual(term))}
		default:
			r.Sources = []Source{p.text(simple(term))}
		}
		p.Terms = append(p.Terms, r)
	}
	return p
}

func (p *Plan) text(s string) Source {
	i := slices.Index(p.Strings, s)
	if i < 0 {
		i = len(p.Strings)
		p.Strings = append(p.Strings, s)
	}
	return Source{Index: i}
}

func (p *Plan) atom(a *query.Atom) Source {
	if a.Kind == query.Text {
		return p.text(a.Text)
	}
	i := slices.IndexFunc(p.Items, func(known *query.Atom) bool { return known.Kind == a.Kind && known.Text == a.Text })
	if i < 0 {
		i = len(p.Items)
		p.Items = append(p.Items, a)
	}
	return Source{Item: true, Index: i}
}

// centroid adds the positive atoms of a term. Negated atoms are left out: adding them would
// attract the documents to exclude. If all atoms are negated, all of them are added.
func (p *Plan) centroid(term query.Node, r *Recipe) {
	for a, nots := range query.Atoms(term) {
		if nots == 0 {
			r.Sources = append(r.Sources, p.atom(a))
		}
	}
	if len(r.Sources) > 0 {
		return
	}
	for a := range query.Atoms(term) {
		r.Sources = append(r.Sources, p.atom(a))
	}
}

// hasWords reports whether every atom of n is text.
func hasWords(n query.Node) bool {
	for a := range query.Atoms(n) {
		if a.Kind != query.Text {
			return false
		}
	}
	return true
}

// StringOf returns the string that a term is encoded as. It is empty for a term with
// several sources, or with a vector that does not come from a string.
func (p *Plan) StringOf(term int) string {
	if from := p.Terms[term].Sources; len(from) == 1 && !from[0].Item {
		return p.Strings[from[0].Index]
	}
	return ""
}

// Vectors arranges encoded strings and resolved items in the order of the formula's terms.
// All vectors must be finite and have the same dimension; those that are summed must be
// unit vectors. Terms with one source share memory with the input.
func (p *Plan) Vectors(strings, items [][]float32) ([][]float32, error) {
	if len(strings) != len(p.Strings) || len(items) != len(p.Items) {
		return nil, fmt.Errorf("fusing vectors: got %d for strings and %d for items, want %d and %d", len(strings), len(items), len(p.Strings), len(p.Items))
	}
	all := slices.Concat(strings, items)
	for i, v := range all {
		if len(v) == 0 || len(v) != len(all[0]) {
			return nil, fmt.Errorf("fusing vectors: vector %d is empty or has dimension %d, but the first has %d", i, len(v), len(all[0]))
		}
	}
	out := make([][]float32, len(p.Terms))
	for t, r := range p.Terms {
		var parts [][]float32
		for _, s := range r.Sources {
			if s.Item {
				parts = append(parts, items[s.Index])
			} else {
				parts = append(parts, strings[s.Index])
			}
		}
		if len(parts) == 1 {
			out[t] = parts[0]
			continue
		}
		var ok bool
		if out[t], ok = centroid(parts); !ok {
			return nil, fmt.Errorf("fusing vectors: the vectors of %s cancel out or are not finite, so their sum has no direction", r.Term)
		}
	}
	return out, nil
}

// centroid returns the normalized sum, or false if it has no direction.
func centroid(vectors [][]float32) ([]float32, bool) {
	sum := make([]float64, len(vectors[0]))
	for _, v := range vectors {
		for i, x := range v {
			sum[i] += float64(x)
		}
	}
	var norm float64
	for _, x := range sum {
		norm += x * x
	}
	norm = math.Sqrt(norm)
	if !(norm > 1e-6) || math.IsInf(norm, 0) {
		return nil, false
	}
	out := make([]float32, len(sum))
	for i, x := range sum {
		out[i] = float32(x / norm)
	}
	return out, true
}
