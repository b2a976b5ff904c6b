//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// latency times the steps of a search in each mode, over many documents: copies of the
// demo's, each with some noise in its vector and more words in its text.
func latency(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("latency", flag.ExitOnError)
	n := f.Int("n", 100_000, "documents")
	rounds := f.Int("rounds", 15, "searches of each kind")
	_ = f.Parse(args) // it exits
	dir, err := os.MkdirTemp("", "latency-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := nsfl.Open(ctx, dir, nil)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // it is removed
	if err := multiply(ctx, c, *n); err != nil {
		return err
	}
	fmt.Printf("%d documents of some %d pieces of words, 384 dimensions, one vector each; medians of %d searches, k = 10, all explained, in ms\n",
		*n, pieceCount, *rounds)
	head(os.Stdout, "formula", "mode", "encode, refine", "find", "rank", "read", "explain", "all", "processor", "times without words")
	for _, text := range []string{"dog AND NOT ball", "beach AND sunset AND NOT people", "(soup OR stew) AND tomato AND NOT meat"} {
		q, err := retrieve.Read(ctx, text, retrieve.Options{})
		if err != nil {
			return err
		}
		all, err := takeApart(ctx, c.Searcher(), q, *rounds)
		if err != nil {
			return err
		}
		for i, w := range ways {
			fmt.Printf("| `%s` | %s |", text, w.name)
			for _, ms := range all[i] {
				fmt.Printf(" %.2f |", median(ms))
			}
			if w.words {
				fmt.Printf(" %.2f", median(all[i][processorTime])/median(all[i-1][processorTime]))
			}
			fmt.Println(" |")
		}
	}
	return nil
}

// way is one way to search.
type way struct {
	name    string
	mode    retrieve.Mode
	profile *profile.Profile
	words   bool // with words; the way before it is the same without
}

var ways = func() (out []way) {
	for _, m := range []retrieve.Mode{retrieve.Baseline, retrieve.Rerank, retrieve.SQO, retrieve.Hybrid, retrieve.Exact} {
		out = append(out, way{m.String(), m, profile.Paper(), false})
	}
	without := *profile.Builtin()
	without.Words = 0
	for _, m := range []retrieve.Mode{retrieve.Hybrid, retrieve.Exact} {
		name := m.String() + ", " + without.Name
		out = append(out, way{name, m, &without, false}, way{name + ", words", m, profile.Builtin(), true})
	}
	return out
}()

// apart has the durations of the steps of searches, of whole searches, and of the processor, in ms.
type apart [7][]float64

const processorTime = len(apart{}) - 1

// takeApart times searches in all ways, in turn.
func takeApart(ctx context.Context, s *retrieve.Searcher, q *retrieve.Question, rounds int) ([]apart, error) {
	all := make([]apart, len(ways))
	for round := range 1 + rounds {
		for i, w := range ways {
			used := own()
			r, err := s.Search(ctx, q, retrieve.Options{Profile: w.profile, Explain: true, Research: retrieve.Research{Mode: w.mode}})
			if err != nil {
				return nil, err
			}
			if round == 0 {
				continue // the first round fills caches
			}
			t := r.Timings
			for j, d := range []time.Duration{t.Encode, t.Find, t.Rank, t.Read, t.Explain, t.Total(), own() - used} {
				all[i][j] = append(all[i][j], inMS(d))
			}
		}
	}
	return all, nil
}

// multiply fills a collection with n documents.
func multiply(ctx context.Context, c *nsfl.Collection, n int) error {
	texts, err := demo.Documents()
	if err != nil {
		return err
	}
	base := make([]engine.Document, len(texts))
	for i, d := range texts {
		base[i] = engine.Document{ID: d.ID, Title: d.Title, Text: d.Passages[0], Passages: []engine.Passage{}, Metadata: d.Metadata}
	}
	if _, err := c.Encode(ctx, base); err != nil {
		return err
	}
	more, err := newProse()
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	const batch = 4096
	for at := 0; at < n; at += batch {
		docs := make([]engine.Document, min(batch, n-at))
		for i := range docs {
			d := base[(at+i)%len(base)]
			d.ID = fmt.Sprintf("%s-%d", d.ID, at+i)
			d.Text += " " + more.text(max(1, pieceCount-len(strings.Fields(d.Text))))
			d.Vector = noisy(d.Vector, random)
			docs[i] = d
		}
		if err := c.Store().Upsert(ctx, docs); err != nil {
			return err
		}
	}
	return nil
}
