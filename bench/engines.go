//go:build linux

package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// engines measures searches of attached tables with default settings beside the plain
// statements ORDER BY … LIMIT 10 for the same queries.
func engines(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("engines", flag.ExitOnError)
	tables := f.String("tables", "1000,20000,100000", "numbers of rows")
	_ = f.Parse(args) // it exits
	var sizes []int
	for text := range strings.SplitSeq(*tables, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a number of rows", text)
		}
		sizes = append(sizes, n)
	}
	dsn, stop, err := database()
	if err != nil {
		return err
	}
	defer stop()
	model, err := builtin.New()
	if err != nil {
		return err
	}
	m := tableCost{encoder: model, dsn: dsn}
	if err := m.read(ctx); err != nil {
		return err
	}
	head(os.Stdout, "rows", "condition", "rows that pass", "plain: server, client", "nsfl: server, client", "ratio", "proven", "overlap with exact")
	for _, n := range sizes {
		if err := m.measure(ctx, os.Stdout, n); err != nil {
			return err
		}
	}
	fmt.Printf("\nProcessor time in ms per search. %d queries after %d others; load of the machine %.1f.\n", len(m.measured), len(m.warming), loadAverage())
	return nil
}

// database returns the database that NSFL_TEST_PGVECTOR names, or that of a server which the
// tests use.
func database() (dsn string, stop func(), err error) {
	if dsn = os.Getenv("NSFL_TEST_PGVECTOR"); dsn != "" {
		if !strings.Contains(dsn, "?") {
			dsn += "?"
		}
		return dsn, func() {}, nil
	}
	dir, err := filepath.Abs(cmp.Or(os.Getenv("NSFL_PGSERVER"), filepath.Join(".cache", "pgserver")))
	if err != nil {
		return "", nil, err
	}
	s, err := postgrestest.Start(dir)
	if err != nil {
		return "", nil, fmt.Errorf("%w; make setup installs it, or NSFL_TEST_PGVECTOR names another server", err)
	}
	return s.DSN(), s.Close, nil
}
