//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/retrieve"
)

// engines puts the same documents into one engine after the other, and takes the
// same searches apart on each.
func engines(ctx context.Context, args []string) error {
	b := beds{Root: ".", Postgres: os.Getenv("NSFL_TEST_PGVECTOR")}
	r := comparing{source: developmentData, queries: 24, rounds: 5}
	f := flag.NewFlagSet("engines", flag.ExitOnError)
	f.IntVar(&r.documents, "documents", 100_000, "documents")
	f.StringVar(&b.PostgresData, "postgres-data", "", "the data folder of the server that NSFL_TEST_PGVECTOR names, to measure its memory and processor time")
	names := f.String("engines", strings.Join(bedNames, ","), "which to measure")
	file := f.String("json", "", "put the figures into this file, beside those of other engines")
	_ = f.Parse(args) // it exits
	list := strings.Split(*names, ",")
	err := checkBeds(list)
	if err != nil {
		return err
	}
	if r.isolated, err = b.isolate(list); err != nil {
		return err
	}
	if b.Dir, err = os.MkdirTemp("", "nsfl-engines-*"); err != nil {
		return err
	}
	defer os.RemoveAll(b.Dir)
	measured, err := r.run(ctx, &b, list)
	if err != nil {
		return err
	}
	measured.print(os.Stdout)
	if *file == "" {
		return nil
	}
	all, err := readFigures(*file)
	if err != nil {
		return err
	}
	for _, e := range measured.Engines {
		all.add(e)
	}
	return all.write(*file)
}

// comparing is one comparison of engines.
type comparing struct {
	source                     corpusSource
	documents, queries, rounds int
	isolated                   bool
}

func (c *comparing) run(ctx context.Context, b *beds, names []string) (*figures, error) {
	corpus, err := c.source.read(ctx, c.documents, c.queries)
	if err != nil {
		return nil, err
	}
	m := &measurement{Corpus: corpus, Rounds: c.rounds, Wire: c.isolated}
	out := &figures{}
	// The embedded collection is what the others are held against, and so there
	// in any case.
	home, err := b.start(ctx, "embedded")
	if err != nil {
		return nil, err
	}
	defer home.close()
	own, e, err := c.fill(ctx, "embedded", home, corpus)
	if err != nil {
		return nil, err
	}
	defer own.Close() //nolint:errcheck // it is removed
	if m.Reference, err = newReference(ctx, own, corpus); err != nil {
		return nil, err
	}
	for _, name := range names {
		fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().Format(time.TimeOnly), name)
		if name == "embedded" {
			err = c.measure(ctx, m, own, home, e)
		} else {
			e, err = c.other(ctx, b, m, name)
		}
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", name, err)
		}
		out.Engines = append(out.Engines, *e)
	}
	return out, nil
}

// other starts an engine, fills and measures it.
func (c *comparing) other(ctx context.Context, b *beds, m *measurement, name string) (*engineFigures, error) {
	at, err := b.start(ctx, name)
	if err != nil {
		return nil, err
	}
	defer at.close()
	store, e, err := c.fill(ctx, name, at, m.Corpus)
	if err != nil {
		return nil, err
	}
	defer store.Close() //nolint:errcheck // it is removed
	return e, c.measure(ctx, m, store, at, e)
}

// fill makes a collection and stores the documents.
func (c *comparing) fill(ctx context.Context, name string, at *bed, corpus *corpus) (engine.Collection, *engineFigures, error) {
	e := &engineFigures{
		Engine: name, Server: at.Server, Together: at.Together, Documents: len(corpus.Docs), Dimension: dimension,
		Corpus: corpus.Words, Load: [2]float64{loadAverage()},
	}
	const limit = time.Hour // to store, and to make an index when a collection is opened
	o := engine.Options{Dimension: dimension, Encoder: corpus.Encoder.Identity().String(), Timeout: limit, WriteTimeout: limit}
	if at.dir != "" {
		e.Disk = -disk(at.dir)
	}
	if at.pids != nil {
		e.Memory = -memory(at.pids())
	}
	filling := o
	filling.Fill = true
	store, err := stores.Open(ctx, at.Place, filling)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	for part := range slices.Chunk(corpus.Docs, 1000) {
		if err := store.Upsert(ctx, part); err != nil {
			_ = store.Close() // the first error says more
			return nil, nil, err
		}
	}
	if err := store.Close(); err != nil {
		return nil, nil, err
	}
	if store, err = stores.Open(ctx, at.Place, o); err != nil {
		return nil, nil, err
	}
	e.LoadS = time.Since(start).Seconds()
	fmt.Fprintf(os.Stderr, "%s %s: stored in %.1f s\n", time.Now().Format(time.TimeOnly), name, e.LoadS)
	return store, e, nil
}

// measure measures a store that is filled.
func (c *comparing) measure(ctx context.Context, m *measurement, store engine.Collection, at *bed, e *engineFigures) error {
	m.PIDs = at.pids
	modes := poolModes
	if _, ok := store.(engine.Scanner); ok {
		modes = append(slices.Clone(modes), retrieve.Exact)
	}
	for _, mode := range modes {
		f, err := m.run(ctx, store, mode)
		if err != nil {
			return err
		}
		e.Modes = append(e.Modes, f)
	}
	var err error
	if e.SizeCPU, err = m.size(ctx, store); err != nil {
		return err
	}
	// After the searches, so that what they have read is in memory.
	if at.pids != nil {
		e.Memory = max(0, e.Memory+memory(at.pids()))
	}
	if at.dir != "" {
		e.Disk += disk(at.dir)
	}
	if own, ok := store.(*index.Collection); ok {
		s, err := own.Stats(ctx)
		if err != nil {
			return err
		}
		e.Memory = s.CodeBytes
	}
	e.Load[1] = loadAverage()
	return nil
}
