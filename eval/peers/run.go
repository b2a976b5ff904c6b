package peers

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Run ranks the documents of a set for every query by every method. All methods except dense
// compare documents by passages; p is nsfl's default profile.
func Run(ctx context.Context, set *sets.Set, corpus *lab.Corpus, p *profile.Profile) ([]lab.Outcome, error) {
	r := &run{set: set, corpus: corpus}
	if err := r.read(); err != nil {
		return nil, err
	}
	byWords, err := r.byWords(ctx)
	if err != nil {
		return nil, err
	}
	var out []lab.Outcome
	for _, m := range []struct {
		name     string
		mode     retrieve.Mode // auto for methods that use words
		passages lab.Passages
		profile  *profile.Profile
	}{
		{"dense", retrieve.Baseline, lab.Whole, nil},
		{"dense-passages", retrieve.Baseline, lab.Stored, nil},
		{name: "bm25"}, {name: "rrf"}, {name: "linear"}, {name: "boolean"}, {name: "boolean-ties"},
		{"geometric", retrieve.GeoOpt, lab.Stored, profile.Paper()},
		{"paper", retrieve.Exact, lab.Stored, profile.Paper()},
		{"default", retrieve.Exact, lab.Stored, p},
	} {
		o := lab.Outcome{Passages: lab.Stored, Queries: byWords[m.name]}
		if m.mode != retrieve.Auto {
			if o, err = r.rank(ctx, m.mode, m.passages, m.profile, nil); err != nil {
				return nil, err
			}
		}
		o.Name, o.Leaks = m.name, r.leaks(&o)
		out = append(out, o)
	}
	return out, nil
}

// run is the state of one comparison.
type run struct {
	set      *sets.Set
	corpus   *lab.Corpus
	formulas []*query.Formula
	lexicon  *Lexicon
	labels   map[string]map[string]bool // labels of documents by id
	places   map[string]int             // index of documents in the corpus
}

// read indexes the texts of the corpus and parses the formulas.
func (r *run) read() error {
	var titles []string
	var passages [][]string
	r.labels, r.places = map[string]map[string]bool{}, map[string]int{}
	for d, err := range r.set.Documents {
		if err != nil {
			return err
		}
		r.places[d.ID] = len(titles)
		if d.Passages == nil && len(titles) < len(r.corpus.Passages) {
			d.Passages = r.corpus.Passages[len(titles)]
		}
		titles, passages = append(titles, d.Title), append(passages, d.Passages)
		r.labels[d.ID] = map[string]bool{}
		for _, l := range d.Labels {
			r.labels[d.ID][l] = true
		}
	}
	if len(titles) != len(r.corpus.IDs) {
		return fmt.Errorf("the set has %d documents, but %d were encoded", len(titles), len(r.corpus.IDs))
	}
	r.lexicon = NewLexicon(titles, passages)
	for _, q := range r.set.Queries {
		f, err := query.ParseFormula(q.Formula)
		if err != nil {
			return fmt.Errorf("query %s: %w", q.ID, err)
		}
		r.formulas = append(r.formulas, f)
	}
	return nil
}

// asking turns a query into the formula to ask and the sentence that it was read from, if any.
type asking func(context.Context, *sets.Query) (node query.Node, sentence string, err error)

// asSentence asks for the text of a query as one atom.
func asSentence(_ context.Context, q *sets.Query) (query.Node, string, error) {
	return &query.Atom{Text: q.Text}, "", nil
}

// asRead asks for the text of a query as searches read it by default.
func asRead(ctx context.Context, q *sets.Query) (query.Node, string, error) {
	r, err := nl.As(ctx, q.Text, nl.Auto, nil)
	if err != nil {
		return nil, "", fmt.Errorf("query %s: %w", q.ID, err)
	}
	if r.Formula {
		return r.Node, "", nil
	}
	return r.Node, q.Text, nil
}

// rank ranks the documents by a mode and a profile of nsfl. Queries are asked by their formulas
// if ask is nil.
func (r *run) rank(ctx context.Context, mode retrieve.Mode, how lab.Passages, p *profile.Profile, ask asking) (lab.Outcome, error) {
	asked := *r.set
	if ask != nil {
		asked.Queries = slices.Clone(r.set.Queries)
		for i := range asked.Queries {
			q := &asked.Queries[i]
			node, sentence, err := ask(ctx, q)
			if err != nil {
				return lab.Outcome{}, err
			}
			q.Formula, q.Text = node.String(), sentence
		}
	}
	outcomes, err := lab.Run(ctx, &asked, r.corpus, lab.Config{
		Methods: []retrieve.Mode{mode}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{how},
		Options: retrieve.Options{Profile: p}, Read: ask != nil,
	})
	if err != nil {
		return lab.Outcome{}, err
	}
	return outcomes[0], nil
}

// byWords runs the methods that use words, alone or together with the dense string.
func (r *run) byWords(ctx context.Context) (map[string][]lab.Measured, error) {
	out := map[string][]lab.Measured{}
	for _, name := range []string{"bm25", "rrf", "linear", "boolean", "boolean-ties"} {
		out[name] = make([]lab.Measured, len(r.formulas))
	}
	return out, workers.Each(ctx, len(r.formulas), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		dense, err := r.dense(ctx, &r.set.Queries[i])
		if err != nil {
			return err
		}
		bm25, boolean := r.lexicon.Words(r.formulas[i]), r.lexicon.Boolean(r.formulas[i])
		for name, ranking := range map[string]Ranking{
			"bm25": bm25, "rrf": Reciprocal(dense, bm25), "linear": Linear(dense, bm25),
			"boolean": boolean, "boolean-ties": boolean.WithTies(dense),
		} {
			if out[name][i], err = lab.Measure(&r.set.Queries[i], r.best(ranking, lab.Depth)); err != nil {
				return err
			}
		}
		return nil
	})
}

// dense returns the similarities of all documents to a query as one string.
func (r *run) dense(ctx context.Context, q *sets.Query) (Ranking, error) {
	e, columns, err := lab.Columns(ctx, r.corpus, q, fusion.Simple, lab.Stored)
	if err != nil {
		return nil, err
	}
	column := columns[e.Formula.Terms.Index(e.Formula.Monolithic())]
	out := make(Ranking, len(column))
	for d, x := range column {
		out[d] = float64(x)
	}
	return out, nil
}

// best returns the ids of the first n documents of a ranking.
func (r *run) best(ranking Ranking, n int) (ids []string) {
	for _, d := range ranking.Order()[:min(n, len(ranking))] {
		ids = append(ids, r.corpus.IDs[d])
	}
	return ids
}

// leaks counts the excluded documents among the top ten; nil if no query excludes anything.
func (r *run) leaks(o *lab.Outcome) *lab.Leaks {
	const first = 10
	shown, out := 0.0, &lab.Leaks{}
	for i := range o.Queries {
		var said [][]bool
		for a, nots := range query.Atoms(r.formulas[i].Root) {
			if nots%2 == 1 {
				said = append(said, r.lexicon.Contains(a.Text))
			}
		}
		unwanted := r.unwanted(i)
		if len(said) == 0 {
			continue
		}
		for _, id := range o.Queries[i].Ranking[:min(first, len(o.Queries[i].Ranking))] {
			shown++
			if slices.ContainsFunc(said, func(by []bool) bool { return by[r.places[id]] }) {
				out.Words++
			}
			if slices.ContainsFunc(unwanted, func(label string) bool { return r.labels[id][label] }) {
				out.Labels++
			}
		}
	}
	if shown == 0 {
		return nil
	}
	out.Words, out.Labels = out.Words/shown, out.Labels/shown
	return out
}

// unwanted returns the labels that a query excludes; none if the set has no labels.
func (r *run) unwanted(i int) (labels []string) {
	truth, err := query.ParseFormula(r.set.Queries[i].Truth)
	if err != nil {
		return nil
	}
	for a, nots := range query.Atoms(truth.Root) {
		if nots%2 == 1 {
			labels = append(labels, a.Text)
		}
	}
	return labels
}
