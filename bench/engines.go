//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/retrieve"
)

// dimension is the dimension of the built-in encoder's vectors.
const dimension = 384

// engines stores the same documents in each engine and times the steps of the same searches.
func engines(ctx context.Context, args []string) error {
	b := beds{Root: ".", Postgres: os.Getenv("NSFL_TEST_PGVECTOR")}
	c := comparing{source: developmentData, queries: 24, rounds: 5}
	f := flag.NewFlagSet("engines", flag.ExitOnError)
	f.IntVar(&c.documents, "documents", 100_000, "documents")
	f.StringVar(&b.PostgresData, "postgres-data", "", "the data folder of the server that NSFL_TEST_PGVECTOR names, to measure its memory and processor time")
	names := f.String("engines", strings.Join(bedNames, ","), "which to measure")
	var sizes []int
	f.Func("tables", "measure attached tables of these numbers of rows, such as 1000,20000, beside plain statements", func(text string) error {
		for size := range strings.SplitSeq(text, ",") {
			n, err := strconv.Atoi(size)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is not a number of rows", size)
			}
			sizes = append(sizes, n)
		}
		return nil
	})
	_ = f.Parse(args) // it exits
	if len(sizes) > 0 {
		return tableCosts(ctx, &b, sizes)
	}
	list := strings.Split(*names, ",")
	err := checkBeds(list)
	if err != nil {
		return err
	}
	if b.Dir, err = os.MkdirTemp("", "nsfl-engines-*"); err != nil {
		return err
	}
	defer os.RemoveAll(b.Dir)
	measured, err := c.run(ctx, &b, list)
	if err != nil {
		return err
	}
	printEngines(os.Stdout, measured)
	return nil
}

// comparing is a comparison of engines.
type comparing struct {
	source                     corpusSource
	documents, queries, rounds int

	corpus    *corpus
	reference map[retrieve.Mode]answers // answers of the embedded collection
}

func (c *comparing) run(ctx context.Context, b *beds, names []string) (out []engineFigures, err error) {
	if c.corpus, err = c.source.read(ctx, c.documents, c.queries); err != nil {
		return nil, err
	}
	// The embedded collection is the reference for the others, so it is always first.
	others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "embedded" })
	for _, name := range append([]string{"embedded"}, others...) {
		progress("%s", name)
		e, err := c.engine(ctx, b, name)
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", name, err)
		}
		if slices.Contains(names, name) {
			out = append(out, *e)
		}
	}
	return out, nil
}

// progress prints a line to standard error.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format(time.TimeOnly)+" "+format+"\n", args...)
}

// engine starts an engine, loads the documents and measures it.
func (c *comparing) engine(ctx context.Context, b *beds, name string) (*engineFigures, error) {
	at, err := b.start(name)
	if err != nil {
		return nil, err
	}
	defer at.close()
	e := &engineFigures{Engine: name, Server: at.Server, Together: at.Together, Documents: len(c.corpus.Docs), Corpus: c.corpus.Words}
	e.Load[0] = loadAverage()
	before, held := disk(at.dir), memory(at.processes())
	store, err := c.fill(ctx, at, e)
	if err != nil {
		return nil, err
	}
	defer store.Close() //nolint:errcheck // it is removed
	modes := poolModes
	if engine.CapabilitiesOf(store).Scanner != nil {
		modes = append(slices.Clone(modes), retrieve.Exact)
	}
	if name == "embedded" {
		if err := c.refer(ctx, store, modes); err != nil {
			return nil, err
		}
	}
	for _, mode := range modes {
		f, err := c.measure(ctx, store, at, mode)
		if err != nil {
			return nil, err
		}
		e.Modes = append(e.Modes, f)
	}
	// Measured after the searches, which load data into memory.
	e.Disk, e.Memory = disk(at.dir)-before, max(0, memory(at.processes())-held)
	if own, ok := store.(*index.Collection); ok {
		s, err := own.Stats(ctx)
		if err != nil {
			return nil, err
		}
		e.Memory = s.CodeBytes
	}
	e.Load[1] = loadAverage()
	return e, nil
}

// fill makes a collection and stores the documents.
func (c *comparing) fill(ctx context.Context, at *bed, e *engineFigures) (engine.Collection, error) {
	const limit = time.Hour // to store, and to make an index when a collection is opened
	o := engine.Options{Dimension: dimension, Encoder: c.corpus.Encoder.Identity().String(), Timeout: limit, WriteTimeout: limit, Fill: true}
	start := time.Now()
	store, err := stores.Open(ctx, at.Place, o)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(upsert(ctx, store, c.corpus.Docs, 1000), store.Close()); err != nil {
		return nil, err
	}
	o.Fill = false
	if store, err = stores.Open(ctx, at.Place, o); err != nil {
		return nil, err
	}
	e.LoadS = time.Since(start).Seconds()
	progress("%s: stored in %.1f s", e.Engine, e.LoadS)
	return store, nil
}

// upsert stores documents in batches.
func upsert(ctx context.Context, store engine.Collection, docs []engine.Document, batch int) error {
	for part := range slices.Chunk(docs, batch) {
		if err := store.Upsert(ctx, part); err != nil {
			return err
		}
	}
	return nil
}
