package tune

import (
	"cmp"
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
	set     int // index into bench.places
	stratum int

	// Average precisions of one vector for the whole query, of the paper's calculus, and of
	// measured choices.
	plain, paper float64
	known        map[choice]float64
}

// labelled reports whether the labels of documents decide which are relevant; otherwise a query
// lists them.
func (q *question) labelled() bool { return q.query.Truth != "" }

// stratum is the queries of one template in one set.
type stratum struct {
	template string
	set      int
}

// newBench reads the queries of all sets.
func newBench(ctx context.Context, data []Data, how lab.Passages, start *profile.Profile) (*bench, error) {
	b := &bench{start: start}
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
	formulas, err := d.Corpus.Formulas(ctx, d.Set.Queries, fusion.Simple)
	if err != nil {
		return err
	}
	outcomes, err := lab.Run(ctx, d.Set, d.Corpus, lab.Config{
		Methods: []retrieve.Mode{retrieve.Baseline, retrieve.Exact}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{how},
		Options: retrieve.Options{Profile: profile.Paper()},
	})
	if err != nil {
		return err
	}
	for i, f := range formulas {
		q := question{
			query: &d.Set.Queries[i], formula: f, set: set,
			plain: outcomes[0].Queries[i].AP, paper: outcomes[1].Queries[i].AP, known: map[choice]float64{},
		}
		own := stratum{cmp.Or(q.query.Template, string(profile.KindOf(f))), set}
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
