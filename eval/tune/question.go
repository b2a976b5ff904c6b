package tune

import (
	"context"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// Data is a set with the vectors of its documents.
type Data struct {
	Set    *sets.Set
	Corpus *lab.Corpus
	// Of is how many queries the set has, where its queries are a part of them; 0:
	// they are all.
	Of int
}

// question is a query that profiles are measured by.
type question struct {
	query   *sets.Query
	formula *query.Formula
	kind    profile.Kind
	set     int // into bench.places
	stratum int
	ideal   []int // the grades of all that is relevant

	plain float64 // by one vector, the whole query as one string
	known map[trial]float64
}

// stratum is the queries of one template in one set.
type stratum struct {
	template string
	set      int
}

// trial is what a profile does to a question.
type trial struct {
	refinement
	operator profile.Operator
}

// refinement is what a profile does to all vectors.
type refinement struct {
	hubness  float64
	feedback profile.Feedback
}

func refinementOf(p *profile.Profile) refinement {
	r := refinement{p.Hubness, p.Feedback}
	if r.feedback.Documents == 0 || r.feedback.Weight == 0 {
		r.feedback = profile.Feedback{}
	}
	return r
}

// trial is that of a profile.
func (q *question) trial(p *profile.Profile) trial {
	return trial{refinementOf(p), p.Operators[q.kind]}
}

// place is a set that can be searched.
type place struct {
	data    Data
	store   store
	encoder encoder.Encoder // which encodes each string once
}

// newPlace searches a set, its documents being compared in one way.
func newPlace(d Data, how lab.Passages) (place, error) {
	s, err := d.Corpus.Searcher(how)
	if err != nil {
		return place{}, fmt.Errorf("%s: %w", d.Set.Name, err)
	}
	corpus, ok := s.Store.(store)
	if !ok {
		return place{}, fmt.Errorf("%s: its documents cannot be compared all at once", d.Set.Name)
	}
	return place{d, corpus, s.Encoder}, nil
}

// styles are the fusions that are tried.
var styles = []fusion.Style{fusion.Simple, fusion.Contextual, fusion.Ensemble}

// newBench reads the queries of all sets.
func newBench(ctx context.Context, data []Data, how lab.Passages) (*bench, error) {
	b := &bench{}
	for s, d := range data {
		p, err := newPlace(d, how)
		if err != nil {
			return nil, err
		}
		b.places = append(b.places, p)
		if err := b.read(s); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Set.Name, err)
		}
		if err := b.encode(ctx, s); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// read makes questions of the queries of a set.
func (b *bench) read(set int) error {
	queries := b.places[set].data.Set.Queries
	if len(queries) == 0 {
		return fmt.Errorf("there are no queries to learn from")
	}
	at := map[string]int{}
	for i := range queries {
		q := &queries[i]
		f, err := lab.Formula(q)
		if err == nil && f.Root == nil {
			err = fmt.Errorf("it has predicates only")
		}
		if err != nil {
			return fmt.Errorf("query %s: %w", q.ID, err)
		}
		kind := profile.KindOf(f)
		template := q.Template
		if template == "" {
			template = string(kind)
		}
		h, seen := at[template]
		if !seen {
			h = len(b.strata)
			at[template] = h
			b.strata = append(b.strata, stratum{template: template, set: set})
		}
		b.questions = append(b.questions, question{
			query: q, formula: f, kind: kind, set: set, stratum: h, ideal: q.Ideal(), known: map[trial]float64{}, plain: math.NaN(),
		})
	}
	return nil
}

// encode has all strings that may be needed encoded in one call.
func (b *bench) encode(ctx context.Context, set int) error {
	var texts []string
	seen := map[string]bool{}
	for i := range b.questions {
		if b.questions[i].set != set {
			continue
		}
		for _, style := range styles {
			for _, s := range fusion.New(b.questions[i].formula, style).Strings {
				if !seen[s] {
					seen[s] = true
					texts = append(texts, s)
				}
			}
		}
	}
	_, err := b.places[set].encoder.Encode(ctx, encoder.Query, texts)
	return err
}

// Spread takes n of the queries of a set, at even distances within each template,
// or all where there are no more.
func Spread(queries []sets.Query, n int) []sets.Query {
	if n <= 0 || len(queries) <= n {
		return queries
	}
	count := map[string]int{}
	for i := range queries {
		count[queries[i].Template]++
	}
	seen := map[string]int{}
	var out []sets.Query
	for _, q := range queries {
		// Of c queries with this template about c·n/len are taken: those where
		// the share that should have been taken passes a whole number.
		c := count[q.Template]
		want := max(1, int(math.Round(float64(c)*float64(n)/float64(len(queries)))))
		i := seen[q.Template]
		seen[q.Template]++
		if i*want/c != (i+1)*want/c {
			out = append(out, q)
		}
	}
	return out
}
