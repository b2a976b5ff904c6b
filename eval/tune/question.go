package tune

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Data is a set with the vectors of its documents.
type Data struct {
	Set    *sets.Set
	Corpus *lab.Corpus
	// Of is how many queries the set has, where its queries are a part of them; 0:
	// they are all.
	Of int
}

// place is a set that can be searched.
type place struct {
	Data
	searcher *retrieve.Searcher
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
	hubness  float64
	words    float64
	feedback profile.Feedback
	operator profile.Operator
}

// trialOf is what a profile does to formulas of a kind.
func trialOf(p *profile.Profile, kind profile.Kind) trial {
	t := trial{p.Hubness, p.Words, p.Feedback, p.Operators[kind]}
	if t.feedback.Documents == 0 || t.feedback.Weight == 0 {
		t.feedback = profile.Feedback{}
	}
	return t
}

func (q *question) trial(p *profile.Profile) trial { return trialOf(p, q.kind) }

// value is that of a profile that was measured.
func (q *question) value(p *profile.Profile) float64 { return q.known[q.trial(p)] }

// newBench reads the queries of all sets.
func newBench(ctx context.Context, data []Data, how lab.Passages) (*bench, error) {
	b := &bench{}
	for s, d := range data {
		if err := b.add(ctx, s, d, how); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Set.Name, err)
		}
	}
	return b, nil
}

// add makes questions of the queries of a set.
func (b *bench) add(ctx context.Context, set int, d Data, how lab.Passages) error {
	if len(d.Set.Queries) == 0 {
		return fmt.Errorf("there are no queries to learn from")
	}
	searcher, err := d.Corpus.Searcher(how)
	if err != nil {
		return err
	}
	b.places = append(b.places, place{d, searcher})
	formulas, err := d.Corpus.Formulas(ctx, d.Set.Queries, styles...)
	if err != nil {
		return err
	}
	plain, err := lab.Run(ctx, d.Set, d.Corpus, lab.Config{
		Methods: []retrieve.Mode{retrieve.Baseline}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{how},
	})
	if err != nil {
		return err
	}
	for i, f := range formulas {
		q := question{query: &d.Set.Queries[i], formula: f, kind: profile.KindOf(f), set: set, plain: plain[0].Queries[i].AP, known: map[trial]float64{}}
		q.ideal = q.query.Ideal()
		own := stratum{q.query.Template, set}
		if own.template == "" {
			own.template = string(q.kind)
		}
		if q.stratum = slices.Index(b.strata, own); q.stratum < 0 {
			q.stratum = len(b.strata)
			b.strata = append(b.strata, own)
		}
		b.questions = append(b.questions, q)
	}
	return nil
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
