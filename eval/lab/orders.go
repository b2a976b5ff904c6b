package lab

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Order is everything that a mode finds for a formula, the best first.
type Order struct {
	Documents []int // places in Corpus.IDs
	Scores    []float32
}

// OrderConfig says how formulas order documents.
type OrderConfig struct {
	Method   retrieve.Mode
	Fusion   fusion.Style
	Passages Passages
	// Options are the ways in which each formula orders; mode, fusion and the
	// number of results are not taken from them.
	Options []retrieve.Options
	// Progress, unless nil, is told how many of all formulas are done.
	Progress func(done, total int)
}

// Orders ranks all that is found for each formula, not only as far as rankings are
// measured. use gets the orders of one formula, one for each of the options; it is
// called by several goroutines, and formulas come in any order.
func Orders(ctx context.Context, corpus *Corpus, formulas []string, c OrderConfig, use func(formula int, orders []Order)) error {
	if len(c.Options) == 0 {
		return errors.New("ordering documents: there are no options to order by")
	}
	r := &runner{set: &sets.Set{}, corpus: corpus}
	for i, f := range formulas {
		r.set.Queries = append(r.set.Queries, sets.Query{ID: fmt.Sprintf("%d (%s)", i+1, f), Formula: f})
	}
	if err := r.encode(ctx, c.Fusion); err != nil {
		return err
	}
	m, err := corpus.matrix(c.Passages)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(formulas) {
					return
				}
				orders, err := r.orders(ctx, m, i, c)
				if err != nil {
					cancel(fmt.Errorf("query %s, %s: %w", r.set.Queries[i].ID, c.Method, err))
					return
				}
				use(i, orders)
				if n := int(done.Add(1)); c.Progress != nil {
					c.Progress(n, len(formulas))
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// orders are those of one formula.
func (r *runner) orders(ctx context.Context, m *matrix, i int, c OrderConfig) ([]Order, error) {
	var out []Order
	s := &retrieve.Searcher{Store: m}
	for _, o := range c.Options {
		o.Mode, o.K = c.Method, Depth
		found, err := s.Find(ctx, r.encoded[i], o)
		if err != nil {
			return nil, err
		}
		ranking, err := found.Rank(o.Logic, len(found.Refs))
		if err != nil {
			return nil, err
		}
		order := Order{Scores: ranking.Scores, Documents: make([]int, len(ranking.Lines))}
		for k, line := range ranking.Lines {
			order.Documents[k] = int(found.Refs[line])
		}
		out = append(out, order)
	}
	return out, nil
}
