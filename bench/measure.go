//go:build linux

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Measured searches return ten results from a thousand candidates. Overlaps are computed down
// to deep.
const (
	results  = 10
	poolSize = 1000
	deep     = 100
)

// poolModes lists the modes that every store supports.
var poolModes = []retrieve.Mode{retrieve.Rerank, retrieve.SQO, retrieve.Hybrid}

// answers are ids by question, the best first.
type answers [][]string

// refer records the answers of the embedded collection.
func (c *comparing) refer(ctx context.Context, store engine.Store, modes []retrieve.Mode) (err error) {
	c.reference = map[retrieve.Mode]answers{}
	for _, mode := range modes {
		if c.reference[mode], err = c.ask(ctx, store, mode); err != nil {
			return err
		}
	}
	return nil
}

// ask returns the first hundred results of each query.
func (c *comparing) ask(ctx context.Context, store engine.Store, mode retrieve.Mode) (answers, error) {
	s := &retrieve.Searcher{Store: store, Encoder: c.corpus.Encoder}
	out := make(answers, len(c.corpus.Questions))
	for i, q := range c.corpus.Questions {
		r, err := search(ctx, s, q, deep, mode)
		if err != nil {
			return nil, err
		}
		out[i] = idsOf(r)
	}
	return out, nil
}

func search(ctx context.Context, s *retrieve.Searcher, q *retrieve.Question, k int, mode retrieve.Mode) (*retrieve.Result, error) {
	r, err := s.Search(ctx, q, retrieve.Options{K: k, AllCopies: true, Research: retrieve.Research{Mode: mode, Candidates: poolSize}})
	if err != nil {
		return nil, fmt.Errorf("asking for %s by %s: %w", q.Text, mode, err)
	}
	return r, nil
}

func idsOf(r *retrieve.Result) []string {
	ids := make([]string, len(r.Hits))
	for i, h := range r.Hits {
		ids[i] = h.ID
	}
	return ids
}

// overlap returns the share of the first k of want that is among the first k of got.
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

// measure measures a mode: once for the overlap and to warm up, then for several rounds.
func (c *comparing) measure(ctx context.Context, inner engine.Store, at *bed, mode retrieve.Mode) (modeFigures, error) {
	store, spent := timing(inner)
	out := modeFigures{Mode: mode.String()}
	first, err := c.ask(ctx, store, mode)
	if err != nil {
		return out, err
	}
	out.Overlap100 = overlap(first, c.reference[retrieve.Exact], deep)
	out.Same100 = overlap(first, c.reference[mode], deep)

	s := &retrieve.Searcher{Store: store, Encoder: c.corpus.Encoder}
	first = make(answers, len(c.corpus.Questions))
	var all [7][]float64
	pids := at.processes() // by now each connection has its process
	var inside time.Duration
	server, client := processor(pids), own()
	for range c.rounds {
		for i, q := range c.corpus.Questions {
			*spent = storeTimes{}
			start := time.Now()
			r, err := search(ctx, s, q, results, mode)
			if err != nil {
				return out, err
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
	out.Overlap10 = overlap(first, c.reference[retrieve.Exact], results)
	for j, to := range []*spread{&out.Steps.Size, &out.Steps.Encode, &out.Steps.Engine, &out.Steps.Gather, &out.Steps.Calculus, &out.Steps.Read, &out.Steps.All} {
		*to = spreadOf(all[j])
	}
	return out, nil
}
