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

// Proved is what it took to prove the first results of a query.
type Proved struct {
	Query *sets.Query
	Read  int // documents; 0: the most that were tried did not prove it
}

// firstRead is how many documents a proof begins with, for each vector that it goes by.
const firstRead = 8

// Proofs finds, for each query of a set, how many documents have to be read until the first
// k results are proven to be those of all documents: lists get a quarter longer until they
// are, up to most.
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

// proof is how many documents are read until the first results are proven.
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

// Quantile is the least number of documents that prove a share of the queries; 0: so many
// are not proven.
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
