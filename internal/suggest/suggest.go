// Package suggest makes example queries from the words of a collection: things that its
// documents mention, together and apart, so each example has results. It reads a sample,
// knows English by a few closed word classes, and knows nothing about vectors.
package suggest

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Example is a query and the feature of the language that it shows.
type Example struct {
	Query string `json:"query"`
	Shows Shows  `json:"shows" enum:"not,and,or,sentence,condition,word"`
}

// Shows is the feature of the language that an example shows.
type Shows string

// Features.
const (
	Not       Shows = "not"       // one thing without another
	And       Shows = "and"       // two things
	Or        Shows = "or"        // one of two things, and a third
	Sentence  Shows = "sentence"  // plain language
	Condition Shows = "condition" // a thing and a metadata field
	Word      Shows = "word"      // a single thing
)

const (
	sampled   = 300     // documents to sample
	readBytes = 4 << 20 // limit of bytes to read
	portion   = 20      // documents per read
	most      = 6       // examples
)

// Of samples a store and returns examples. There are none if it is empty, or mentions
// nothing twice.
func Of(ctx context.Context, store engine.Store) ([]Example, error) {
	refs, err := store.Sample(ctx, sampled)
	if err != nil {
		return nil, err
	}
	s := newSample()
	read := 0
	for part := range slices.Chunk(refs, portion) {
		if read > readBytes {
			break
		}
		err := engine.Visit(ctx, store, part, engine.Titles|engine.Texts|engine.Metadata, func(_ int, d *engine.Document) {
			if d.ID != "" {
				read += len(d.Text)
				s.add(d)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return s.examples(), nil
}

// pair is two things mentioned together, the more common first.
type pair struct {
	a, b  *thing
	value float64
}

// pairs returns the best pairs: mentioned together often, more often than by chance, and
// the first also without the second.
func (s *sample) pairs(things []*thing) []pair {
	var out []pair
	for i, first := range things {
		for _, other := range things[i+1:] {
			a, b := first, other
			if len(b.in) > len(a.in) {
				a, b = b, a
			}
			both := common(a.in, b.in)
			lift := float64(both*s.texts) / float64(len(a.in)*len(b.in))
			if both < 2 || len(a.in)-both < 2 || lift < 1.5 || s.beside[[2]string{a.stem, b.stem}]*2 > both {
				continue
			}
			out = append(out, pair{a, b, float64(both) * math.Log(lift) * (a.value() + b.value())})
		}
	}
	slices.SortStableFunc(out, func(x, y pair) int { return cmp.Compare(y.value, x.value) })
	return out
}

// common returns the number of elements that two sorted lists share.
func common(a, b []int) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}

// examples returns one example of each kind, then more of the first, each with different
// things.
func (s *sample) examples() []Example {
	things := s.things()
	pairs := s.pairs(things)
	used := map[*thing]bool{}
	next := func() *pair {
		for i := range pairs {
			if p := &pairs[i]; !used[p.a] && !used[p.b] {
				used[p.a], used[p.b] = true, true
				return p
			}
		}
		return nil
	}
	var out []Example
	add := func(shows Shows, text string) { out = append(out, Example{text, shows}) }
	if p := next(); p != nil {
		add(Not, query.AllOf(p.a.atom(), &query.Not{X: p.b.atom()}).String())
	}
	if a, b, with := either(pairs, used); with != nil {
		add(Or, query.AllOf(query.AnyOf(a.atom(), b.atom()), with.atom()).String())
	}
	if p := next(); p != nil {
		add(Sentence, p.a.form()+" without "+p.b.form())
	}
	if p := next(); p != nil {
		add(And, query.AllOf(p.a.atom(), p.b.atom()).String())
	}
	if t, where := s.condition(things, used); t != nil {
		used[t] = true
		add(Condition, t.form()+" "+where.String())
	}
	for len(out) < most {
		p := next()
		if p == nil {
			break
		}
		add(Not, query.AllOf(p.a.atom(), &query.Not{X: p.b.atom()}).String())
	}
	for _, t := range things { // a small collection has no pairs
		if len(out) < 3 && !used[t] {
			add(Word, t.form())
		}
	}
	return out
}

// either returns two things that are mentioned with a third, but seldom together.
func either(pairs []pair, used map[*thing]bool) (a, b, with *thing) {
	for i := range pairs {
		p := &pairs[i]
		for _, q := range pairs[i+1:] {
			for _, c := range [][3]*thing{{p.b, q.b, p.a}, {p.a, q.a, p.b}, {p.a, q.b, p.b}, {p.b, q.a, p.a}} {
				a, b, with := c[0], c[1], c[2]
				other := q.a
				if other == b {
					other = q.b
				}
				if other != with || a == b || used[a] || used[b] || used[with] || common(a.in, b.in)*3 > min(len(a.in), len(b.in)) {
					continue
				}
				used[a], used[b], used[with] = true, true, true
				return a, b, with
			}
		}
	}
	return nil, nil, nil
}

func (t *thing) atom() query.Node { return &query.Atom{Text: t.form()} }

// form returns the most frequent spelling of the word.
func (t *thing) form() string {
	best := ""
	for form, n := range t.forms {
		if n > t.forms[best] || n == t.forms[best] && strings.Compare(form, best) < 0 {
			best = form
		}
	}
	return best
}
