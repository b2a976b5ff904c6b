package lab

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/eval/measure"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Depth is how far rankings are measured.
const Depth = 100

// Config is what an experiment compares; every combination is one Outcome.
type Config struct {
	Methods  []retrieve.Mode
	Fusions  []fusion.Style
	Passages []Passages
	// Options are common to all; mode, fusion, results and comparison are not
	// taken from them.
	Options retrieve.Options
	// Progress, unless nil, is told how many of all rankings are done.
	Progress func(done, total int)
}

// Outcome is what one method did on all queries.
type Outcome struct {
	Method   retrieve.Mode
	Fusion   fusion.Style
	Passages Passages
	Seconds  float64 // for ranking, encoding not counted; of all processors together
	Queries  []Measured
}

// Measured is the ranking of one query and its measures.
type Measured struct {
	Query     *sets.Query
	Ranking   []string
	Ranked    int // documents that the ranking was chosen from
	Compared  int // similarities were computed of so many, more where a pool grew
	Judged    measure.Judged
	AP, APAll float64 // at Depth; the denominators are min(R, Depth) and R
	Recall20  float64
	Recall100 float64
	NDCG10    float64
	P10       float64
	MRR       float64
}

// Run ranks the documents for every query by every combination.
func Run(ctx context.Context, set *sets.Set, corpus *Corpus, c Config) ([]Outcome, error) {
	r := &runner{set: set, corpus: corpus, config: c, total: len(set.Queries) * len(c.Methods) * len(c.Fusions) * len(c.Passages)}
	for _, style := range c.Fusions {
		if err := r.encode(ctx, style); err != nil {
			return nil, err
		}
		for _, how := range c.Passages {
			m, err := corpus.matrix(how)
			if err != nil {
				return nil, err
			}
			for _, method := range c.Methods {
				o, err := r.outcome(ctx, m, method, style)
				if err != nil {
					return nil, err
				}
				r.outcomes = append(r.outcomes, *o)
			}
		}
	}
	return r.outcomes, nil
}

type runner struct {
	set      *sets.Set
	corpus   *Corpus
	config   Config
	encoded  []*retrieve.Encoded
	texts    *texts
	outcomes []Outcome
	total    int
	done     atomic.Int64
}

// encode reads all formulas and encodes their strings.
func (r *runner) encode(ctx context.Context, style fusion.Style) error {
	formulas := make([]*query.Formula, len(r.set.Queries))
	for i := range r.set.Queries {
		var err error
		if formulas[i], err = formulaOf(&r.set.Queries[i]); err != nil {
			return fmt.Errorf("query %s: %w", r.set.Queries[i].ID, err)
		}
		if formulas[i].Root == nil {
			return fmt.Errorf("query %s has predicates only", r.set.Queries[i].ID)
		}
	}
	var err error
	r.encoded, err = r.corpus.formulas(ctx, formulas, style)
	return err
}

// formulaOf is a query's formula; a text without one is an atom.
func formulaOf(q *sets.Query) (*query.Formula, error) {
	if q.Formula == "" && q.Text != "" {
		return query.Normalize(&query.Atom{Text: q.Text})
	}
	return query.ParseFormula(q.Formula)
}

// outcome ranks all queries by one method, on all processors.
func (r *runner) outcome(ctx context.Context, m *matrix, method retrieve.Mode, style fusion.Style) (*Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	o := &Outcome{Method: method, Fusion: style, Passages: m.how, Queries: make([]Measured, len(r.set.Queries))}
	s := r.searcher(m)
	var next, nanoseconds atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(o.Queries) {
					return
				}
				began := time.Now()
				ranking, found, err := r.rank(ctx, s, r.encoded[i], method, style)
				nanoseconds.Add(time.Since(began).Nanoseconds())
				if err == nil {
					o.Queries[i], err = measured(&r.set.Queries[i], ranking)
				}
				if err == nil {
					o.Queries[i].Ranked, o.Queries[i].Compared = len(found.Refs), found.Asked
				}
				if err != nil {
					cancel(fmt.Errorf("query %s, %s: %w", r.set.Queries[i].ID, method, err))
					return
				}
				done := int(r.done.Add(1))
				if r.config.Progress != nil {
					r.config.Progress(done, r.total)
				}
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	o.Seconds = float64(nanoseconds.Load()) / 1e9
	return o, nil
}

func (r *runner) rank(ctx context.Context, s *retrieve.Searcher, e *retrieve.Encoded, method retrieve.Mode, style fusion.Style) ([]string, *retrieve.Candidates, error) {
	found, ranking, err := r.find(ctx, s, e, method, style)
	if err != nil {
		return nil, nil, err
	}
	ids := make([]string, len(ranking.Lines))
	for i, line := range ranking.Lines {
		ids[i] = r.corpus.IDs[found.Refs[line]]
	}
	return ids, found, nil
}

func (r *runner) find(ctx context.Context, s *retrieve.Searcher, e *retrieve.Encoded, method retrieve.Mode, style fusion.Style) (*retrieve.Candidates, *retrieve.Ranking, error) {
	o := r.config.Options
	o.Mode, o.K, o.Fusion = method, Depth, style
	if o.Profile != nil {
		return r.refined(ctx, s, e, o)
	}
	found, err := s.Find(ctx, e, o)
	if err != nil {
		return nil, nil, err
	}
	ranking, err := found.Rank(o.Logic, Depth)
	return found, ranking, err
}

func measured(q *sets.Query, ranking []string) (Measured, error) {
	j, err := measure.Judge(ranking, q.Grade, q.Ideal())
	if err != nil {
		return Measured{}, err
	}
	return Measured{
		Query: q, Ranking: ranking, Judged: j,
		AP: j.AveragePrecision(Depth, measure.Reachable), APAll: j.AveragePrecision(Depth, measure.All),
		Recall20: j.Recall(20), Recall100: j.Recall(Depth), NDCG10: j.NDCG(10), P10: j.Precision(10), MRR: j.ReciprocalRank(0),
	}, nil
}

// Columns are the similarities of all documents to the terms of a query, for the
// pictures of what the calculus sees.
func Columns(ctx context.Context, corpus *Corpus, q *sets.Query, style fusion.Style, how Passages) (*retrieve.Encoded, [][]float32, error) {
	r := &runner{set: &sets.Set{Queries: []sets.Query{*q}}, corpus: corpus}
	if err := r.encode(ctx, style); err != nil {
		return nil, nil, err
	}
	m, err := corpus.matrix(how)
	if err != nil {
		return nil, nil, err
	}
	columns, err := m.columns(r.encoded[0].Vectors)
	return r.encoded[0], columns, err
}
