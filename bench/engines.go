//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/testserver"
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
	dir, err := testserver.Installed("NSFL_PGSERVER", "pgserver")
	if err != nil {
		return err
	}
	server, err := postgrestest.Start(dir)
	if err != nil {
		return fmt.Errorf("%w; make setup-test installs PostgreSQL", err)
	}
	defer server.Close()
	model, err := builtin.New()
	if err != nil {
		return err
	}
	m := tableCost{encoder: model, dsn: server.DSN()}
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
