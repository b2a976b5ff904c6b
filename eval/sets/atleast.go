package sets

import (
	"errors"
	"fmt"

	"github.com/nsfl-go/nsfl/query"
)

// minAtLeast is the minimum number of relevant documents of a query of AtLeast.
const minAtLeast = 5

// AtLeast makes k OF queries from the queries of a logic set that have three atoms: from each
// query 2 OF (A, B, C), and from two consecutive ones 2 of five and 3 of six. Queries with
// fewer than five relevant documents are left out.
func (s *Set) AtLeast() (*Set, error) {
	out := &Set{Name: s.Name, Split: s.Split + ", at least", Documents: s.Documents, Warnings: s.Warnings}
	var before *counted
	for i := range s.Queries {
		c, err := newCounted(&s.Queries[i])
		if err != nil {
			return nil, err
		}
		if len(c.atoms) != 3 {
			continue
		}
		out.ask(c, 2)
		if before == nil {
			before = c
			continue
		}
		if six := before.with(c); len(six.atoms) == 6 {
			out.ask(six.first(5), 2)
			out.ask(six, 3)
		}
		before = nil
	}
	if len(out.Queries) == 0 {
		return nil, fmt.Errorf("the set %s has no queries of three atoms", s.Name)
	}
	return out, nil
}

// counted holds the atoms of a query with their labels.
type counted struct {
	corpus        *labelled
	atoms, labels []query.Node
}

func newCounted(q *Query) (*counted, error) {
	m, ok := q.judgements.(matches)
	if !ok {
		return nil, errors.New("k OF queries need a logic set, whose queries are judged by labels")
	}
	out := &counted{corpus: m.corpus}
	for _, side := range []struct {
		text string
		to   *[]query.Node
	}{{q.Formula, &out.atoms}, {q.Truth, &out.labels}} {
		n, err := query.Parse(side.text)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		for a := range query.Atoms(n) {
			*side.to = append(*side.to, a)
		}
	}
	if len(out.atoms) != len(out.labels) {
		return nil, fmt.Errorf("query %s has %d atoms and %d labels", q.ID, len(out.atoms), len(out.labels))
	}
	return out, nil
}

// with adds the atoms of another query, each label once.
func (c *counted) with(other *counted) *counted {
	out := &counted{corpus: c.corpus}
	seen := map[string]bool{}
	for _, from := range []*counted{c, other} {
		for i, l := range from.labels {
			if key := l.String(); !seen[key] {
				seen[key] = true
				out.atoms, out.labels = append(out.atoms, from.atoms[i]), append(out.labels, l)
			}
		}
	}
	return out
}

func (c *counted) first(n int) *counted {
	return &counted{c.corpus, c.atoms[:n], c.labels[:n]}
}

// ask adds the query for k of the atoms.
func (s *Set) ask(c *counted, k int) {
	truth := &query.AtLeast{K: k, Parts: c.labels}
	places := c.corpus.evaluate(truth)
	if places.count() < minAtLeast {
		return
	}
	s.Queries = append(s.Queries, Query{
		ID:         fmt.Sprintf("at-least-%04d", len(s.Queries)),
		Template:   fmt.Sprintf("%d OF %d", k, len(c.atoms)),
		Formula:    (&query.AtLeast{K: k, Parts: c.atoms}).String(),
		Truth:      truth.String(),
		judgements: matches{c.corpus, places},
	})
}
