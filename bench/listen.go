//go:build linux

package main

import (
	"context"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/words"
)

// listen measures what words cost in a collection: finding documents by them, and searches
// without and with them in turn.
func (p *probed) listen(ctx context.Context, c *index.Collection) error {
	const rounds = 9
	statistics, err := c.Statistics(ctx)
	if err != nil {
		return err
	}
	q := words.NewQuery([]string{"dog", "ball"}, statistics)
	wanted := []engine.Wanted{{K: 1000, By: func(out []float32, shares [][]float32) {
		for i := range out {
			out[i] = said(shares[0][i], shares[1][i])
		}
	}}}
	s := &retrieve.Searcher{Store: c, Encoder: &freely{source: newClusters(3), known: map[string][]float32{}}, Profile: profile.Builtin()}
	question, err := retrieve.Read(ctx, "dog AND ball", retrieve.Options{})
	if err != nil {
		return err
	}
	off := 0.0
	search := func(weight *float64) error {
		_, err := s.Search(ctx, question, retrieve.Options{Research: retrieve.Research{Mode: retrieve.Hybrid, Words: weight}})
		return err
	}
	var times [3][]float64
	for round := range 1 + rounds {
		for i, f := range []func() error{
			func() error { _, err := c.Said(ctx, q, nil, wanted); return err },
			func() error { return search(&off) },
			func() error { return search(nil) },
		} {
			start := time.Now()
			if err := f(); err != nil {
				return err
			}
			if round > 0 { // what is remembered between searches is learned
				times[i] = append(times[i], inMS(time.Since(start)))
			}
		}
	}
	p.Words, p.Hybrid, p.Worded = median(times[0]), median(times[1]), median(times[2])
	return nil
}

// freely is an encoder that costs nothing: it draws a vector for a text that is new.
type freely struct {
	encoder.Encoder
	source *clusters
	known  map[string][]float32
}

func (f *freely) Identity() encoder.Identity {
	return encoder.Identity{Name: "bench", Dimension: dimension}
}

func (f *freely) Encode(_ context.Context, _ encoder.Role, texts []string) (encoder.Encoded, error) {
	e := encoder.Encoded{Cut: make([]bool, len(texts))}
	for _, t := range texts {
		if f.known[t] == nil {
			f.known[t] = f.source.next()
		}
		e.Vectors = append(e.Vectors, f.known[t])
	}
	return e, nil
}
