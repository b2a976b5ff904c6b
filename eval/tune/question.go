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
	// Of is the set's total number of queries if Set has only some of them; 0 if it has all.
	Of int
}

// place is a searchable set.
type place struct {
	Data
	searcher *retrieve.Searcher
}

// question is a query that profiles are measured by.
type question struct {
	query   *sets.Query
	formula *query.Formula
	kind    profile.Kind
	set     int // index into bench.places
	stratum int
	ideal   []int // grades of all relevant documents

	plain float64 // average precision of one vector for the whole query
	known map[trial]float64
}

// stratum is the queries of one template in one set.
type stratum struct {
	template string
	set      int
}

// trial is the part of a profile that affects a question.
type trial struct {
	hubness  float64
	words    float64
	feedback profile.Feedback
	operator profile.Operator
}

// trialOf returns the part of a profile that affects formulas of a kind.
func trialOf(p *profile.Profile, kind profile.Kind) trial {
	t := trial{p.Hubness, p.Words, p.Feedback, p.Operators[kind]}
	if t.feedback.Documents == 0 || t.feedback.Weight == 0 {
		t.feedback = profile.Feedback{}
	}
	return t
}

func (q *question) trial(p *profile.Profile) trial { return trialOf(p, q.kind) }

// value returns the value of a measured profile.
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

// add adds the queries of a set as questions.
func (b *bench) add(ctx context.Context, set int, d Data, how lab.Passages) error {
	if len(d.Set.Queries) == 0 {
		return fmt.Errorf("no queries to learn from")
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

// Spread returns n of the queries of a set, evenly spaced within each template, or all if
// there are no more than n.
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
		// About c·n/len of the c queries with this template are taken: those at which the
		// cumulative share passes a whole number.
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
