package lab

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Proved is the cost of proving the top results of a query.
type Proved struct {
	Query *sets.Query
	Read  int // documents read; 0 if the maximum did not suffice
}

// firstRead is how many documents a proof starts with, for each vector it uses.
const firstRead = 8

// Proofs determines, for each query of a set, how many documents must be read to prove that
// the top k results are those of all documents. Candidate lists grow by a quarter until the
// proof succeeds, up to most.
func Proofs(ctx context.Context, set *sets.Set, corpus *Corpus, k, most int, o retrieve.Options) ([]Proved, error) {
	s, err := corpus.Searcher(Stored)
	if err != nil {
		return nil, err
	}
	o.Mode, o.K, o.Candidates, o.AllCopies = retrieve.Hybrid, k, most, true
	out := make([]Proved, len(set.Queries))
	return out, workers.Each(ctx, len(out), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		q := &set.Queries[i]
		out[i].Query = q
		f, err := formulaOf(q)
		if err == nil {
			out[i].Read, err = proof(ctx, s, retrieve.Ask(f), o)
		}
		if err != nil {
			return fmt.Errorf("query %s: %w", q.ID, err)
		}
		return nil
	})
}

// proof returns how many documents are read until the top results are proven.
func proof(ctx context.Context, s *retrieve.Searcher, q *retrieve.Question, o retrieve.Options) (int, error) {
	p, err := s.Prepare(ctx, q, o)
	if err != nil {
		return 0, err
	}
	for n := firstRead; ; n = min(o.Candidates, n+n/4) {
		found, err := s.FindWithin(ctx, p, n)
		if err != nil {
			return 0, err
		}
		ranking, err := found.Rank(o.K)
		switch {
		case err != nil:
			return 0, err
		case found.Proven(ranking) == min(o.K, p.Size.Documents):
			return len(found.Refs), nil
		case n == o.Candidates:
			return 0, nil
		}
	}
}

// Quantile returns the smallest number of documents that proves a share of the queries, or
// 0 if fewer are proven.
func Quantile(proved []Proved, share float64) int {
	var read []int
	for _, p := range proved {
		if p.Read > 0 {
			read = append(read, p.Read)
		}
	}
	slices.Sort(read)
	at := int(share*float64(len(proved))+0.5) - 1
	if at >= len(read) || len(read) == 0 {
		return 0
	}
	return read[max(0, at)]
}
