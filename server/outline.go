package server

import "github.com/nsfl-go/nsfl/query"

// Part is a part of a formula as an editor shows it: an atom, a predicate or a group of them.
type Part struct {
	Kind    string  `json:"kind" enum:"atom,like,example,image,predicate,group"`
	Text    string  `json:"text,omitempty" doc:"as written in a formula, without its weight"`
	Name    string  `json:"name,omitempty" doc:"the words of an atom, or the id, text or path that it refers to"`
	Negated bool    `json:"negated,omitempty"`
	Weight  float64 `json:"weight,omitempty" doc:"of an atom; omitted if it is 1"`
	Least   int     `json:"least,omitempty" doc:"of a group: the minimum number of matching parts; omitted if it is 1"`
	Parts   []Part  `json:"parts,omitempty" doc:"of a group"`
}

var partKinds = map[query.Kind]string{query.Text: "atom", query.Like: "like", query.Example: "example", query.Image: "image"}

// outlineOf returns the parts of a formula that is one conjunction. It returns nil for more
// complex formulas: a group holds atoms and predicates but no other group.
func outlineOf(n query.Node) []Part {
	and, ok := n.(*query.And)
	if !ok {
		if p := partOf(n, true); p != nil {
			return []Part{*p}
		}
		return nil
	}
	var all []Part
	for _, part := range and.Parts {
		inside := outlineOf(part)
		if inside == nil {
			return nil
		}
		all = append(all, inside...)
	}
	return all
}

// partOf returns an atom, a predicate or, if groups is set, a group, negated at most once. It
// returns nil for anything else.
func partOf(n query.Node, groups bool) *Part {
	not, negated := n.(*query.Not)
	if negated {
		n = not.X
	}
	switch n := n.(type) {
	case *query.Atom:
		bare := *n
		bare.Weight = 0
		p := &Part{Kind: partKinds[n.Kind], Text: bare.String(), Name: n.Text, Negated: negated}
		if w := n.Importance(); w != 1 {
			p.Weight = w
		}
		return p
	case *query.Predicate:
		return &Part{Kind: "predicate", Text: n.String(), Negated: negated}
	case *query.Or:
		if groups {
			return groupOf(n.Parts, 0, negated)
		}
	case *query.AtLeast:
		if groups {
			return groupOf(n.Parts, n.K, negated)
		}
	}
	return nil
}

func groupOf(parts []query.Node, least int, negated bool) *Part {
	group := &Part{Kind: "group", Least: least, Negated: negated}
	for _, x := range parts {
		p := partOf(x, false)
		if p == nil {
			return nil
		}
		group.Parts = append(group.Parts, *p)
	}
	return group
}
