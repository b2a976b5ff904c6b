package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Order is everything that a mode finds for a formula, best first.
type Order struct {
	Documents []int // indexes into Corpus.IDs
	Scores    []float32
}

// OrderConfig configures how formulas order documents.
type OrderConfig struct {
	Method   retrieve.Mode
	Fusion   fusion.Style
	Passages Passages
	// Options are the variants to order each formula by; mode, fusion and the number of
	// results are ignored.
	Options []retrieve.Options
	// Progress, if not nil, is called with the number of formulas done and their total.
	Progress func(done, total int)
}

// Orders ranks everything found for each formula, not only down to Depth. It calls use with
// the orders of one formula, one for each of the options. Calls are concurrent, and formulas
// come in any order.
func Orders(ctx context.Context, corpus *Corpus, formulas []string, c OrderConfig, use func(formula int, orders []Order)) error {
	if len(c.Options) == 0 {
		return errors.New("ordering documents: no options given")
	}
	queries := make([]sets.Query, len(formulas))
	for i, f := range formulas {
		queries[i] = sets.Query{ID: fmt.Sprintf("%d (%s)", i+1, f), Formula: f}
	}
	parsed, err := corpus.Formulas(ctx, queries, c.Fusion)
	if err != nil {
		return err
	}
	s, err := corpus.Searcher(c.Passages)
	if err != nil {
		return err
	}
	var done atomic.Int64
	return workers.Each(ctx, len(formulas), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		var orders []Order
		for _, o := range c.Options {
			o.Mode, o.Fusion, o.K = c.Method, chosen(c.Fusion), Depth
			found, ranking, err := find(ctx, s, parsed[i], o, math.MaxInt)
			if err != nil {
				return fmt.Errorf("query %s, %s: %w", queries[i].ID, c.Method, err)
			}
			order := Order{Scores: ranking.Scores, Documents: make([]int, len(ranking.Lines))}
			for k, line := range ranking.Lines {
				order.Documents[k] = int(found.Refs[line].Number)
			}
			orders = append(orders, order)
		}
		use(i, orders)
		if n := int(done.Add(1)); c.Progress != nil {
			c.Progress(n, len(formulas))
		}
		return nil
	})
}
