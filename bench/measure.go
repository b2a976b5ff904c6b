//go:build linux

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// The searches that are measured: ten results of a pool of a thousand. Overlaps are
// looked at down to deep.
const (
	results  = 10
	poolSize = 1000
	deep     = 100
)

// poolModes are those that every store serves.
var poolModes = []retrieve.Mode{retrieve.Rerank, retrieve.SQO, retrieve.Hybrid}

// answers are ids by formula, the best first, down to deep.
type answers [][]string

// reference is what the embedded collection answers, by mode.
type reference map[retrieve.Mode]answers

func newReference(ctx context.Context, store engine.Store, c *corpus) (reference, error) {
	r := reference{}
	s := &retrieve.Searcher{Store: store, Encoder: c.Encoder}
	for _, mode := range append([]retrieve.Mode{retrieve.Exact}, poolModes...) {
		a, err := ask(ctx, s, c.Formulas, mode)
		if err != nil {
			return nil, err
		}
		r[mode] = a
	}
	return r, nil
}

// ask asks for the first hundred of each formula.
func ask(ctx context.Context, s *retrieve.Searcher, formulas []*query.Formula, mode retrieve.Mode) (answers, error) {
	out := make(answers, len(formulas))
	for i, f := range formulas {
		r, err := s.Search(ctx, retrieve.Ask(f), retrieve.Options{K: deep, Research: retrieve.Research{Mode: mode, Candidates: poolSize}})
		if err != nil {
			return nil, fmt.Errorf("asking for %s by %s: %w", f.Root, mode, err)
		}
		out[i] = idsOf(r)
	}
	return out, nil
}

func idsOf(r *retrieve.Result) []string {
	ids := make([]string, len(r.Hits))
	for i, h := range r.Hits {
		ids[i] = h.ID
	}
	return ids
}

// overlap is the share of the first k of want that is among the first k of got.
func overlap(got, want answers, k int) float64 {
	found, all := 0, 0
	for i := range want {
		in := map[string]bool{}
		for _, id := range got[i][:min(k, len(got[i]))] {
			in[id] = true
		}
		for _, id := range want[i][:min(k, len(want[i]))] {
			all++
			if in[id] {
				found++
			}
		}
	}
	return float64(found) / float64(max(1, all))
}

// measurement is how a store is measured.
type measurement struct {
	Corpus    *corpus
	Reference reference
	Rounds    int
	PIDs      func() []int // of the server; nil: there is none, or it cannot be seen
	Wire      bool         // what goes over the loopback interface is the searches'
}

// run measures a mode: once for the overlap and to warm up, then in so many rounds.
func (m *measurement) run(ctx context.Context, inner engine.Store, mode retrieve.Mode) (modeFigures, error) {
	store, spent := timing(inner)
	s := &retrieve.Searcher{Store: store, Encoder: m.Corpus.Encoder}
	out := modeFigures{Mode: mode.String()}
	first, err := ask(ctx, s, m.Corpus.Formulas, mode)
	if err != nil {
		return out, err
	}
	out.Overlap100 = overlap(first, m.Reference[retrieve.Exact], deep)
	out.Same100 = overlap(first, m.Reference[mode], deep)

	first = make(answers, len(m.Corpus.Formulas))
	var all [7][]float64
	var pids []int
	if m.PIDs != nil {
		pids = m.PIDs() // now that it has one for every connection
	}
	var inside time.Duration
	server, client, sent := processor(pids), own(), wire()
	for range m.Rounds {
		for i, f := range m.Corpus.Formulas {
			*spent = storeTimes{}
			start := time.Now()
			r, err := s.Search(ctx, retrieve.Ask(f), retrieve.Options{K: results, Research: retrieve.Research{Mode: mode, Candidates: poolSize}})
			if err != nil {
				return out, fmt.Errorf("asking for %s by %s: %w", f.Root, mode, err)
			}
			total := time.Since(start)
			t := r.Timings
			for j, d := range []time.Duration{
				spent.Size, t.Encode - spent.Size, spent.Engine, spent.Gather,
				t.Find - spent.Engine - spent.Gather + t.Rank, spent.Read, total,
			} {
				all[j] = append(all[j], inMS(d))
			}
			inside += spent.CPU
			first[i] = idsOf(r)
			out.Searches++
		}
	}
	n := float64(out.Searches)
	out.ServerCPU, out.ClientCPU = inMS(processor(pids)-server)/n, inMS(own()-client)/n
	if _, ok := inner.(*index.Collection); ok {
		out.ServerCPU, out.ClientCPU = inMS(inside)/n, out.ClientCPU-inMS(inside)/n
	}
	if m.Wire {
		out.Wire = float64(wire()-sent) / n
	}
	out.Overlap10 = overlap(first, m.Reference[retrieve.Exact], results)
	for j, to := range []*spread{&out.Steps.Size, &out.Steps.Encode, &out.Steps.Engine, &out.Steps.Gather, &out.Steps.Calculus, &out.Steps.Read, &out.Steps.All} {
		*to = spreadOf(all[j])
	}
	return out, nil
}

// size is the processor time that the server takes to say how much it holds, in ms.
func (m *measurement) size(ctx context.Context, store engine.Store) (float64, error) {
	const times = 100
	if m.PIDs == nil {
		return 0, nil
	}
	pids := m.PIDs()
	before := processor(pids)
	for range times {
		if _, err := store.Size(ctx); err != nil {
			return 0, err
		}
	}
	return inMS(processor(pids)-before) / times, nil
}
