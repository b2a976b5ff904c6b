//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// latency takes a search apart, mode by mode, on many documents: those of the
// demo, each many times with some noise in its vector.
func latency(ctx context.Context, args []string) error {
	const rounds = 15
	f := flag.NewFlagSet("latency", flag.ExitOnError)
	n := f.Int("n", 100_000, "documents")
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
	fmt.Printf("%d documents, 384 dimensions, one vector each; medians of %d searches, k = 10, all explained, in ms\n", *n, rounds)
	head(os.Stdout, "formula", "mode", "encode", "find", "rank", "read", "explain", "all")
	for _, text := range []string{"dog AND NOT ball", "beach AND sunset AND NOT people", "(soup OR stew) AND tomato AND NOT meat"} {
		q, err := retrieve.Read(text, false)
		if err != nil {
			return err
		}
		for _, x := range []struct {
			mode    retrieve.Mode
			profile *profile.Profile
		}{
			{retrieve.Baseline, profile.Paper()}, {retrieve.Rerank, profile.Paper()}, {retrieve.SQO, profile.Paper()},
			{retrieve.Hybrid, profile.Paper()}, {retrieve.Exact, profile.Paper()},
			{retrieve.Hybrid, profile.Builtin()}, {retrieve.Exact, profile.Builtin()},
		} {
			var steps [6][]float64
			for range rounds {
				r, err := c.Searcher().Search(ctx, q, retrieve.Options{Profile: x.profile, Explain: true, Research: retrieve.Research{Mode: x.mode}})
				if err != nil {
					return err
				}
				t := r.Timings
				for i, d := range []time.Duration{t.Encode, t.Find, t.Rank, t.Read, t.Explain, t.Total()} {
					steps[i] = append(steps[i], inMS(d))
				}
			}
			name := x.mode.String()
			if x.profile.Name != profile.Paper().Name {
				name += ", " + x.profile.Name
			}
			fmt.Printf("| `%s` | %s |", text, name)
			for _, ms := range steps {
				fmt.Printf(" %.2f |", median(ms))
			}
			fmt.Println()
		}
	}
	return nil
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
	random := rand.New(rand.NewPCG(1, 2))
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = base[i%len(base)]
		docs[i].ID = fmt.Sprintf("%s-%d", docs[i].ID, i)
		docs[i].Vector = noisy(docs[i].Vector, random)
	}
	return upsert(ctx, c.Store(), docs, 4096)
}
