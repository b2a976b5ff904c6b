package lab

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/eval/measure"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Depth is the rank down to which rankings are measured.
const Depth = 100

// Config selects what an experiment compares; every combination is one Outcome.
type Config struct {
	Methods  []retrieve.Mode
	Fusions  []fusion.Style
	Passages []Passages
	// Options are common to all combinations; mode, fusion, results and comparison are
	// ignored.
	Options retrieve.Options
	// Read says that the formulas were read from the texts of the queries.
	Read bool
	// Progress, if not nil, is called with the number of rankings made.
	Progress func(rankings int)
}

// Outcome is the result of one method on all queries.
type Outcome struct {
	Name     string // name of the method if it is not its mode's
	Method   retrieve.Mode
	Fusion   fusion.Style
	Passages Passages
	Seconds  float64 // ranking time without encoding, summed over all processors
	Queries  []Measured
	// Leaks measures excluded documents among the top results; nil if not measured.
	Leaks *Leaks
}

// Leaks are shares of the top ten results of queries with an exclusion.
type Leaks struct {
	Words  float64 `json:"words"`  // results that contain all words of the excluded term
	Labels float64 `json:"labels"` // results with the excluded label
}

// Called returns the name of the method.
func (o *Outcome) Called() string { return cmp.Or(o.Name, o.Method.String()) }

// Measured is the ranking for one query with its measures.
type Measured struct {
	Query     *sets.Query
	Ranking   []string
	AP, APAll float64 // at Depth; the denominators are min(R, Depth) and R
	Recall20  float64
	Recall100 float64
	NDCG10    float64
}

// Run ranks the documents for every query by every combination.
func Run(ctx context.Context, set *sets.Set, corpus *Corpus, c Config) ([]Outcome, error) {
	r := &runner{set: set, corpus: corpus, config: c}
	var err error
	if r.formulas, err = corpus.Formulas(ctx, set.Queries, c.Fusions...); err != nil {
		return nil, err
	}
	var outcomes []Outcome
	for _, style := range c.Fusions {
		for _, how := range c.Passages {
			s, err := corpus.Searcher(how)
			if err != nil {
				return nil, err
			}
			for _, method := range c.Methods {
				o := Outcome{Method: method, Fusion: style, Passages: how, Queries: make([]Measured, len(set.Queries))}
				if err := r.rank(ctx, s, &o); err != nil {
					return nil, err
				}
				outcomes = append(outcomes, o)
			}
		}
	}
	return outcomes, nil
}

type runner struct {
	set      *sets.Set
	corpus   *Corpus
	config   Config
	formulas []*query.Formula
	done     atomic.Int64
}

// rank ranks the documents for all queries of an outcome.
func (r *runner) rank(ctx context.Context, s *retrieve.Searcher, o *Outcome) error {
	options := r.config.Options
	options.Mode, options.Fusion, options.K = o.Method, chosen(o.Fusion), Depth
	var nanoseconds atomic.Int64
	err := workers.Each(ctx, len(o.Queries), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		began := time.Now()
		question := retrieve.Ask(r.formulas[i])
		if r.config.Read {
			question.Sentence = r.set.Queries[i].Text
		}
		found, ranking, err := Rank(ctx, s, question, options, Depth)
		nanoseconds.Add(time.Since(began).Nanoseconds())
		if err == nil {
			o.Queries[i], err = Measure(&r.set.Queries[i], r.corpus.Ranked(found, ranking))
		}
		if err != nil {
			return fmt.Errorf("query %s, %s: %w", r.set.Queries[i].ID, o.Method, err)
		}
		if done := int(r.done.Add(1)); r.config.Progress != nil {
			r.config.Progress(done)
		}
		return nil
	})
	o.Seconds = float64(nanoseconds.Load()) / 1e9
	return err
}

// chosen returns a style as an option. Simple is left unset: a profile may override it.
func chosen(s fusion.Style) *fusion.Style {
	if s == fusion.Simple {
		return nil
	}
	return &s
}

// Rank searches with the given options and ranks the candidates down to a depth. It does not
// fold duplicates, since every document has labels.
func Rank(ctx context.Context, s *retrieve.Searcher, q *retrieve.Question, o retrieve.Options, depth int) (*retrieve.Candidates, *retrieve.Ranking, error) {
	o.AllCopies = true
	p, err := s.Prepare(ctx, q, o)
	if err != nil {
		return nil, nil, err
	}
	found, err := s.Find(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	ranking, err := found.Rank(depth)
	return found, ranking, err
}

// Ranked returns the ids of the documents found, in rank order.
func (c *Corpus) Ranked(found *retrieve.Candidates, ranking *retrieve.Ranking) []string {
	ids := make([]string, len(ranking.Lines))
	for k, line := range ranking.Lines {
		ids[k] = c.IDs[found.Refs[line].Number]
	}
	return ids
}

// Measure computes the measures of a ranking of ids.
func Measure(q *sets.Query, ranking []string) (Measured, error) {
	j, err := measure.Judge(ranking, q.Grade, q.Ideal())
	if err != nil {
		return Measured{}, err
	}
	return Measured{
		Query: q, Ranking: ranking,
		AP: j.AveragePrecision(Depth, measure.Reachable), APAll: j.AveragePrecision(Depth, measure.All),
		Recall20: j.Recall(20), Recall100: j.Recall(Depth), NDCG10: j.NDCG(10),
	}, nil
}

// Columns returns the similarities of all documents to the terms of a query, which the
// report plots.
func Columns(ctx context.Context, corpus *Corpus, q *sets.Query, style fusion.Style, how Passages) (*retrieve.Encoded, [][]float32, error) {
	f, err := formulaOf(q)
	if err != nil {
		return nil, nil, fmt.Errorf("query %s: %w", q.ID, err)
	}
	s, err := corpus.Searcher(how)
	if err != nil {
		return nil, nil, err
	}
	s.Profile = nil // use the encoder's own vectors
	p, err := s.Prepare(ctx, retrieve.Ask(f), retrieve.Options{Research: retrieve.Research{Mode: retrieve.Exact, Fusion: &style}})
	if err != nil {
		return nil, nil, err
	}
	columns, err := s.Store.(*matrix).compare(p.Vectors)
	return p.Encoded, columns, err
}
