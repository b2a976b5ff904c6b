//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// latency takes a search apart, mode by mode, on many documents: those of the
// demo, each many times with some noise in its vector and more words in its text.
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
	head(os.Stdout, "formula", "mode", "encode, refine", "find", "rank", "read", "explain", "all", "at least", "processor", "proven, read")
	var ratios []string
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
			for _, ms := range all[i].steps {
				fmt.Printf(" %.2f |", median(ms))
			}
			least, used := slices.Min(all[i].all()), median(all[i].processor)
			fmt.Printf(" %.2f | %.2f |", least, used)
			if p := all[i].proof; p != nil {
				fmt.Printf(" %d, %d |\n", p.Exact, p.Read)
			} else {
				fmt.Println(" |")
			}
			if i > 0 && w.name == ways[i-1].name+worded {
				without := all[i-1]
				ratios = append(ratios, fmt.Sprintf("| `%s` | %s | %.2f | %.2f | %.2f |", text, ways[i-1].name,
					median(all[i].all())/median(without.all()), least/slices.Min(without.all()), used/median(without.processor)))
			}
		}
	}
	head(os.Stdout, "formula", "mode", "with words, times without: all", "at least", "processor")
	fmt.Println(strings.Join(ratios, "\n"))
	return nil
}

// way is one way to search.
type way struct {
	name    string
	mode    retrieve.Mode
	profile *profile.Profile
	words   *float64
}

// worded marks the way that is the one before it with words.
const worded = ", words"

var ways = func() (out []way) {
	for _, m := range []retrieve.Mode{retrieve.Baseline, retrieve.Rerank, retrieve.SQO, retrieve.Hybrid, retrieve.Exact} {
		out = append(out, way{m.String(), m, profile.Paper(), nil})
	}
	off := 0.0
	for _, m := range []retrieve.Mode{retrieve.Hybrid, retrieve.Exact} {
		name := m.String() + ", " + profile.Builtin().Name
		out = append(out, way{name, m, profile.Builtin(), &off}, way{name + worded, m, profile.Builtin(), nil})
	}
	return out
}()

// apart has the durations of searches, in ms.
type apart struct {
	steps     [6][]float64 // the last is the whole search
	processor []float64
	proof     *retrieve.Proof // of the last search
}

func (a *apart) all() []float64 { return a.steps[len(a.steps)-1] }

// takeApart times searches in all ways, in turn.
func takeApart(ctx context.Context, s *retrieve.Searcher, q *retrieve.Question, rounds int) ([]apart, error) {
	all := make([]apart, len(ways))
	for round := range 1 + rounds {
		for i, w := range ways {
			used := own()
			r, err := s.Search(ctx, q, retrieve.Options{Profile: w.profile, Explain: true, Research: retrieve.Research{Mode: w.mode, Words: w.words}})
			if err != nil {
				return nil, err
			}
			if round == 0 {
				continue // the first round fills caches
			}
			all[i].proof = r.Proof
			all[i].processor = append(all[i].processor, inMS(own()-used))
			t := r.Timings
			for j, d := range []time.Duration{t.Encode, t.Find, t.Rank, t.Read, t.Explain, t.Total()} {
				all[i].steps[j] = append(all[i].steps[j], inMS(d))
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
